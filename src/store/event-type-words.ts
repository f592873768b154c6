import { MessageEvent_EventType as EventType } from "../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import { EVENT_TYPES, EventKind, type EventTypeMeaning, eventTypesOf } from "../model/event-types.js";
import type { SqlWords } from "../sql/template.js";

/** Sets of event types, as integers. Bit n stands for event type n. */
export const OUTCOMES = setOf(eventTypesOf(EventKind.OUTCOME));
export const DELAYS = setOf(eventTypesOf(EventKind.DELAY));
export const PROXY_RESULTS = setOf(eventTypesOf(EventKind.PROXY_RESULT));
/** Event types that imply a disconnected device. */
export const DISCONNECTED = setOf(EVENT_TYPES.filter(({ disconnected }) => disconnected));

/** SQL expressions of an engine that count messages. Each row has the columns `outcome`, `proxy` and `seen`. */
export interface CountingSql {
  /** Counts messages that match a condition. */
  total(condition: string): string;
  /** True for messages with an event of this type. */
  saw(type: EventType): string;
}

/**
 * Returns the template words for the contract's event types: the number of each type by name, sets of types,
 * and the counts to compute in a rollup.
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

/** Returns the condition under which an event type counts a message. */
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
      throw new Error(`the rollup cannot count event type ${name}: its kind is unknown`);
  }
}
