import { MessageEvent_EventType as EventType } from "../../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import { EVENT_TYPES, EventKind, type EventTypeMeaning, eventTypesOf } from "../../model/event-types.js";

/**
 * Words of statements that stand for what the contract says of event types: the number of each type by its
 * name, sets of types as integers with a bit for each number, and the counts of the rollup.
 */
export const EVENT_TYPE_WORDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(EVENT_TYPES.map(({ name, type }) => [name, String(type)])),
  OUTCOMES: setOf(eventTypesOf(EventKind.OUTCOME)),
  DELAYS: setOf(eventTypesOf(EventKind.DELAY)),
  PROXY_RESULTS: setOf(eventTypesOf(EventKind.PROXY_RESULT)),
  DISCONNECTED: setOf(EVENT_TYPES.filter(({ disconnected }) => disconnected)),
  COUNTS_OF_TYPES: EVENT_TYPES.filter(({ count }) => count !== "")
    .map((meaning) => `total(messages, ${conditionOf(meaning)}) AS ${meaning.count}`)
    .join(",\n    "),
};

function setOf(types: readonly EventTypeMeaning[]): string {
  return String(types.reduce((set, { type }) => set | (1 << type), 0));
}

/** Returns the condition under which a message adds to the count of an event type. */
function conditionOf({ kind, type, name }: EventTypeMeaning): string {
  switch (kind) {
    case EventKind.OUTCOME:
      return `outcome = ${type}`;
    case EventKind.DELAY:
      return `outcome = ${EventType.DELIVERED} AND saw(seen, ${type})`;
    case EventKind.PRIORITY:
      return `saw(seen, ${type})`;
    case EventKind.PROXY_RESULT:
      return `proxy = ${type}`;
    default:
      throw new Error(`the rollup has no count for the kind of event type ${name}`);
  }
}
