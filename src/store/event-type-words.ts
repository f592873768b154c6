import { MessageEvent_EventType as EventType } from "../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import {
  DELAYS,
  DISCONNECTED,
  EVENT_TYPES,
  EventKind,
  type EventTypeMeaning,
  OUTCOMES,
  PROXY_RESULTS,
} from "../model/event-types.js";
import type { SqlWords } from "../sql/template.js";

/** SQL expressions with which an engine counts messages. They refer to the columns `outcome`, `proxy` and `seen`. */
export interface CountingSql {
  /** Returns an expression for the number of messages that match a condition. */
  total(condition: string): string;
  saw(type: EventType): string;
}

/**
 * Returns replacements for the words in SQL templates that depend on the contract's event types: event type numbers by
 * name, sets of event types, and the counts that a rollup computes.
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
