import { MessageEvent_EventType as EventType } from "../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import { EVENT_TYPES, EventKind, type EventTypeMeaning, eventTypesOf } from "../model/event-types.js";
import type { SqlWords } from "../sql/template.js";

/** Set of the types of a kind, as an integer with a bit for each number; likewise the sets below. */
export const OUTCOMES = setOf(eventTypesOf(EventKind.OUTCOME));
export const DELAYS = setOf(eventTypesOf(EventKind.DELAY));
export const PROXY_RESULTS = setOf(eventTypesOf(EventKind.PROXY_RESULT));
/** Types that show that a device is disconnected. */
export const DISCONNECTED = setOf(EVENT_TYPES.filter(({ disconnected }) => disconnected));

/** Expressions by which an engine's SQL counts messages; a row has the columns `outcome`, `proxy` and `seen`. */
export interface CountingSql {
  /** The number of messages that meet a condition. */
  total(condition: string): string;
  /** True for messages with an event of the type. */
  saw(type: EventType): string;
}

/**
 * Returns the words of statements that stand for what the contract says of event types: the number of each
 * type by its name, sets of types, and the counts of the rollup.
 */
export const eventTypeWords = (sql: CountingSql): SqlWords => ({
  ...Object.fromEntries(EVENT_TYPES.map(({ name, type }) => [name, String(type)])),
  OUTCOMES: String(OUTCOMES),
  DELAYS: String(DELAYS),
  PROXY_RESULTS: String(PROXY_RESULTS),
  DISCONNECTED: String(DISCONNECTED),
  COUNTS_OF_TYPES: EVENT_TYPES.filter(({ count }) => count !== "")
    .map((meaning) => `${sql.total(conditionOf(meaning, sql))} AS ${meaning.count}`)
    .join(",\n    "),
});

function setOf(types: readonly EventTypeMeaning[]): number {
  return types.reduce((set, { type }) => set | (1 << type), 0);
}

/** Returns the condition under which a message adds to the count of an event type. */
function conditionOf({ kind, type, name }: EventTypeMeaning, { saw }: CountingSql): string {
  switch (kind) {
    case EventKind.OUTCOME:
      return `outcome = ${type}`;
    case EventKind.DELAY:
      return `outcome = ${EventType.DELIVERED} AND ${saw(type)}`;
    case EventKind.PRIORITY:
      return saw(type);
    case EventKind.PROXY_RESULT:
      return `proxy = ${type}`;
    default:
      throw new Error(`the rollup has no count for the kind of event type ${name}`);
  }
}
