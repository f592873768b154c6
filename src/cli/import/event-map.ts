import { type Document, isNode, LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { MessageEvent_EventType } from "../../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import { CommandFailure } from "../support/command-failure.js";
import { readFlagFile } from "../support/flag-files.js";
import { TIME_FORMATS } from "./event-time.js";
import { shown } from "./row.js";

/** Names of the types of events. */
const EVENT_TYPES = Object.keys(MessageEvent_EventType).filter((name) =>
  /^[A-Z][A-Z_]*(?<!_UNSPECIFIED)$/.test(name),
);

const column = z.string().min(1);

/** Values of a column that mean something, by their text. Letters match in either case. */
const meanings = <M extends z.ZodType>(meaning: M) =>
  z.record(z.string(), meaning).refine((values) => hasNoTwins(Object.keys(values)), "has a value twice");

/** A text that is the same for all rows, or in a column. */
const text = z
  .strictObject({ column: column.optional(), value: z.string().min(1).optional() })
  .refine(hasOneSource, "needs either column or value");

/** A yes or no that is the same for all rows, or in a column, whose values may have other names for them. */
const flag = z
  .strictObject({
    column: column.optional(),
    value: z.boolean().optional(),
    values: meanings(z.boolean()).optional(),
    /** For other values, and for none. */
    others: z.boolean().optional(),
  })
  .refine(hasOneSource, "needs either column or value");

/** Values of some columns. Letters match in either case. */
const selection = z.record(column, z.array(z.string()).min(1));

/** How the rows of a log become events: where each field of an event comes from. */
export const eventMapSchema = z.strictObject({
  /** Without it, rows do not name their app. */
  appId: text.optional(),
  messageId: z.strictObject({
    /** Joined; the first must have a value, the others add theirs to it. */
    columns: z.array(column).min(1),
    /** What becomes of rows whose first column has no value. */
    empty: z.enum(["drop", "error"]).default("error"),
  }),
  eventTime: z.strictObject({
    column,
    format: z.enum(TIME_FORMATS),
    /** The offset of times that have none, such as `Z` or `+02:00`. */
    offset: z
      .string()
      .regex(/^(Z|[+-]\d\d:\d\d)$/, "must be Z or an offset such as +02:00")
      .optional(),
  }),
  eventType: z.strictObject({
    column,
    /** Without it, the values are types of events. */
    values: meanings(z.enum([...EVENT_TYPES, "drop"])).optional(),
    /** What becomes of rows with other values. */
    others: z.enum(["drop", "error"]).default("error"),
  }),
  analyticsLabel: text.optional(),
  notification: flag.optional(),
  /** Required: messages without it do not count. */
  usageReportingOptIn: flag,
  /** Rows with other values in these columns are dropped. */
  only: selection.default({}),
  /** Rows with these values are dropped. */
  except: selection.default({}),
});

/** How the rows of a log become events. */
export type EventMap = z.infer<typeof eventMapSchema>;

function hasOneSource({ column, value }: { column?: unknown; value?: unknown }): boolean {
  return (column === undefined) !== (value === undefined);
}

function hasNoTwins(names: readonly string[]): boolean {
  return new Set(names.map((name) => name.toLowerCase())).size === names.length;
}

/**
 * Reads the map of a log: a YAML file.
 *
 * @throws CommandFailure that names the key and the line of each mistake.
 */
export async function readMapFile(file: string): Promise<EventMap> {
  const lines = new LineCounter();
  const document = parseDocument(await readFlagFile("--map", file), {
    logLevel: "error",
    lineCounter: lines,
  });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) {
    const [message = ""] = problem.message.split("\n");
    throw new CommandFailure(`${file}: ${shown(message.replace(/:$/, ""))}`, { cause: problem });
  }
  const result = eventMapSchema.safeParse(document.toJS(), {
    error: ({ input }) => (input === undefined ? "is required" : undefined),
  });
  if (result.success) return result.data;
  const mistakes = result.error.issues.flatMap(mistakesOf).map(({ path, message }) => {
    const line = lineOf(document, lines, path);
    return `${file}: line ${line}: ${shown(path.join(".") || "the map")}: ${message}`;
  });
  throw new CommandFailure(mistakes.join("\n"));
}

interface Mistake {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function mistakesOf(issue: z.core.$ZodIssue): readonly Mistake[] {
  if (issue.code !== "unrecognized_keys") return [issue];
  return issue.keys.map((key) => ({ path: [...issue.path, key], message: "is not a known key" }));
}

/** The line of a path, or of the nearest node around it. */
function lineOf(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}
