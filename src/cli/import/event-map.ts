import { type Document, isNode, LineCounter, parseDocument } from "yaml";
import * as z from "zod";
import { MessageEvent_EventType } from "../../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import { schemaProblem, YAML_OPTIONS, yamlProblem } from "../../presentation/schema-problem.js";
import { CommandFailure } from "../support/command-failure.js";
import { readFlagFile } from "../support/flag-files.js";
import { TIME_FORMATS } from "./event-time.js";
import { shown } from "./row.js";

const EVENT_TYPES = Object.keys(MessageEvent_EventType).filter((name) =>
  /^[A-Z][A-Z_]*(?<!_UNSPECIFIED)$/.test(name),
);

const column = z.string().min(1);

/** Schema of the meanings of column values. Upper and lower case are equivalent. */
const meanings = <M extends z.ZodType>(meaning: M) =>
  z.record(z.string(), meaning).refine((values) => hasNoTwins(Object.keys(values)), "has a value twice");

/** Schema of a string field: a column, or the same string for all rows. */
const text = z
  .strictObject({ column: column.optional(), value: z.string().min(1).optional() })
  .refine(hasOneSource, "needs either column or value");

/**
 * Schema of a boolean field: a column, or the same value for all rows. The map can name the words that mean true and
 * false in the column.
 */
const flag = z
  .strictObject({
    column: column.optional(),
    value: z.boolean().optional(),
    values: meanings(z.boolean()).optional(),
    /** Value of the field if the column is empty or has another word. */
    others: z.boolean().optional(),
  })
  .refine(hasOneSource, "needs either column or value");

/** Schema of column values, by column. Upper and lower case are equivalent. */
const selection = z.record(column, z.array(z.string()).min(1));

/** Schema of a map: how to read each event field from a log's rows. */
export const eventMapSchema = z.strictObject({
  /** Omitted if rows do not contain an app. */
  appId: text.optional(),
  messageId: z.strictObject({
    /** Columns to join. The first column must have a value. */
    columns: z.array(column).min(1),
    /** How to handle rows in which the first column is empty. */
    empty: z.enum(["drop", "error"]).default("error"),
  }),
  eventTime: z.strictObject({
    column,
    format: z.enum(TIME_FORMATS),
    /** UTC offset such as `Z` or `+02:00`, for times without an offset. */
    offset: z
      .string()
      .regex(/^(Z|[+-]\d\d:\d\d)$/, "must be Z or an offset such as +02:00")
      .optional(),
  }),
  eventType: z.strictObject({
    column,
    /** If omitted, the column contains event type names. */
    values: meanings(z.enum([...EVENT_TYPES, "drop"])).optional(),
    /** How to handle rows with other values. */
    others: z.enum(["drop", "error"]).default("error"),
  }),
  analyticsLabel: text.optional(),
  notification: flag.optional(),
  /** Required, because messages without this field would not be counted. */
  usageReportingOptIn: flag,
  /** Drops rows with other values in these columns. */
  only: selection.default({}),
  /** Drops rows with these values. */
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

/** Reads a log map from a YAML file. @throws CommandFailure with the key and line of each problem. */
export async function readMapFile(file: string): Promise<EventMap> {
  const lines = new LineCounter();
  const document = parseDocument(await readFlagFile("--map", file), { ...YAML_OPTIONS, lineCounter: lines });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined)
    throw new CommandFailure(`${file}: ${shown(yamlProblem(problem))}`, { cause: problem });
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

/** Returns the line number of a key path, or of its nearest parent in the file. */
function lineOf(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}
