import { type DescField, type DescMessage, getOption } from "@bufbuild/protobuf";
import { DeliveryCountsSchema } from "../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import {
  denominator,
  EventMeaning_Kind as EventKind,
  type EventMeaning,
  event_meaning,
} from "../gen/waybill/messagingdata/v1beta1/event_meaning_pb.js";
import {
  type MessageEvent_EventType as EventType,
  MessageEvent_EventTypeSchema as EventTypeSchema,
} from "../gen/waybill/messagingdata/v1beta1/message_event_pb.js";

export { EventKind };

export interface EventTypeMeaning extends Pick<EventMeaning, "kind" | "count" | "disconnected"> {
  /** Number of the event type. Events of one kind at the same instant are sorted by it. */
  readonly type: EventType;
  /** Name of the event type, as in event files. */
  readonly name: string;
}

/** All event types of the contract, in contract order. */
export const EVENT_TYPES: readonly EventTypeMeaning[] = EventTypeSchema.values
  .filter(({ number }) => number !== 0)
  .map((value) => {
    const { kind, count, disconnected } = getOption(value, event_meaning);
    return { type: value.number, name: value.name, kind, count, disconnected };
  });

/** Returns the event types of one kind, in contract order. */
export const eventTypesOf = (kind: EventKind): readonly EventTypeMeaning[] =>
  EVENT_TYPES.filter((type) => type.kind === kind);

/** Set of outcome event types. Sets are integers in which bit n represents event type n. */
export const OUTCOMES = setOf(eventTypesOf(EventKind.OUTCOME));
export const DELAYS = setOf(eventTypesOf(EventKind.DELAY));
export const PROXY_RESULTS = setOf(eventTypesOf(EventKind.PROXY_RESULT));
/** Set of event types that only occur if a device was disconnected. */
export const DISCONNECTED = setOf(EVENT_TYPES.filter(({ disconnected }) => disconnected));

function setOf(types: readonly EventTypeMeaning[]): number {
  return types.reduce((set, { type }) => set | (1 << type), 0);
}

/**
 * Returns the `DeliveryCounts` field that a group's percentages are divided by.
 *
 * @throws Error if the contract names no such field.
 */
export function denominatorOf(group: DescMessage): DescField {
  const name = getOption(group, denominator);
  const field = DeliveryCountsSchema.fields.find((count) => count.name === name);
  if (field === undefined) throw new Error(`the group ${group} has no count field`);
  return field;
}
