import { getOption } from "@bufbuild/protobuf";
import {
  EventMeaning_Kind as EventKind,
  event_meaning,
} from "../gen/waybill/messagingdata/v1beta1/event_meaning_pb.js";
import {
  MessageEvent_EventType as EventType,
  MessageEvent_EventTypeSchema as EventTypeSchema,
} from "../gen/waybill/messagingdata/v1beta1/message_event_pb.js";

export { EventKind, EventType };

/** A set of event types, one bit each. */
export type EventTypes = number;

/** Count of event types, including the unspecified one. Assumes contiguous numbers. */
export const EVENT_TYPE_NUMBERS = 1 + Math.max(...EventTypeSchema.values.map(({ number }) => number));

export function eventTypes(...types: readonly EventType[]): EventTypes {
  return types.reduce<EventTypes>((set, type) => set | (1 << type), 0);
}

/** Returns a kind's event types, with the figure that the contract names for each. */
export function figuresOf(kind: EventKind): readonly { readonly type: EventType; readonly figure: string }[] {
  return EventTypeSchema.values
    .map((value) => ({ type: value.number as EventType, meaning: getOption(value, event_meaning) }))
    .filter(({ meaning }) => meaning.kind === kind)
    .map(({ type, meaning }) => ({ type, figure: inCamelCase(meaning.count) }));
}

const typesOf = (kind: EventKind): EventType[] => figuresOf(kind).map(({ type }) => type);

export const OUTCOMES = eventTypes(...typesOf(EventKind.OUTCOME));

export const DELAYS: readonly EventType[] = typesOf(EventKind.DELAY);

export const PROXY_RESULTS = eventTypes(...typesOf(EventKind.PROXY_RESULT));

/** Events that show a disconnected device. */
export const DISCONNECTED = eventTypes(
  ...EventTypeSchema.values
    .filter((value) => getOption(value, event_meaning).disconnected)
    .map(({ number }) => number),
);

function inCamelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
