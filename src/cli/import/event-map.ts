import { type Document, isNode, LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { MessageEvent_EventType } from "../../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import { schemaProblem } from "../../presentation/schema-problem.js";
import { CommandFailure } from "../support/command-failure.js";
import { readFlagFile } from "../support/flag-files.js";
import { TIME_FORMATS } from "./event-time.js";
import { shown } from "./row.js";

/** Event type names. */
const EVENT_TYPES = Object.keys(MessageEvent_EventType).filter((name) =>
  /^[A-Z][A-Z_]*(?<!_UNSPECIFIED)$/.test(name),
);

const column = z.string().min(1);

/** Meanings of column values. Letters match in either case. */
const meanings = <M extends z.ZodType>(meaning: M) =>
  z.record(z.string(), meaning).refine((values) => hasNoTwins(Object.keys(values)), "has a value twice");

/** A text: from a column, or the same for all rows. */
const text = z
  .strictObject({ column: column.optional(), value: z.string().min(1).optional() })
  .refine(hasOneSource, "needs either column or value");

/** A boolean: from a column, or the same for all rows. The column may have other words for true and false. */
const flag = z
  .strictObject({
    column: column.optional(),
    value: z.boolean().optional(),
    values: meanings(z.boolean()).optional(),
    /** For other values and empty ones. */
    others: z.boolean().optional(),
  })
  .refine(hasOneSource, "needs either column or value");

/** Values by column. Letters match in either case. */
const selection = z.record(column, z.array(z.string()).min(1));

/** The source of each event field in a log's rows. */
export const eventMapSchema = z.strictObject({
  /** If omitted, rows do not name their app. */
  appId: text.optional(),
  messageId: z.strictObject({
    /** Joined columns. The first must have a value. */
    columns: z.array(column).min(1),
    /** Handling of rows with an empty first column. */
    empty: z.enum(["drop", "error"]).default("error"),
  }),
  eventTime: z.strictObject({
    column,
    format: z.enum(TIME_FORMATS),
    /** Offset for times without one, such as `Z` or `+02:00`. */
    offset: z
      .string()
      .regex(/^(Z|[+-]\d\d:\d\d)$/, "must be Z or an offset such as +02:00")
      .optional(),
  }),
  eventType: z.strictObject({
    column,
    /** If omitted, the values are event types. */
    values: meanings(z.enum([...EVENT_TYPES, "drop"])).optional(),
    /** Handling of rows with other values. */
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

/** Maps log rows to events. */
export type EventMap = z.infer<typeof eventMapSchema>;

function hasOneSource({ column, value }: { column?: unknown; value?: unknown }): boolean {
  return (column === undefined) !== (value === undefined);
}

function hasNoTwins(names: readonly string[]): boolean {
  return new Set(names.map((name) => name.toLowerCase())).size === names.length;
}

/**
 * Reads a log map from a YAML file.
 *
 * @throws CommandFailure with the key and line of each problem.
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
  const result = eventMapSchema.safeParse(document.toJS(), { error: schemaProblem });
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

/** Returns the line number of a path, or of its nearest parent. */
function lineOf(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}
