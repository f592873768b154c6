import { MessageEvent_EventType as EventType } from "../gen/waybill/messagingdata/v1beta1/message_event_pb.js";

/** A message to one app instance, from when it is accepted until something becomes of it. */
export interface Message {
  /** Start of each line about it: its app and its id. */
  readonly linePrefix: string;
  /** Index of the app. */
  readonly app: number;
  /** Index of the Los Angeles day on which it was accepted. */
  readonly day: number;
  /** First instant after that day. */
  readonly dayEnd: number;
  /** Index of the label; 0 is none. */
  readonly label: number;
  readonly notification: boolean;
  /** The device shares usage and diagnostics. */
  readonly optedIn: boolean;
  readonly acceptedAt: number;
  /** When its time to live ends. The same as {@link acceptedAt}: now or never. */
  readonly expiresAt: number;
  /** 0 is none: no other message replaces it. */
  readonly collapseKey: number;
  /** Else normal priority. */
  highPriority: boolean;
  /** The kinds of its events so far. */
  reported: EventTypes;
  /** Those of them that came before {@link dayEnd}. */
  reportedThatDay: EventTypes;
  lastReportAt: number;
}

/** A set of event types, one bit each. */
export type EventTypes = number;

/** The set of `types`. */
export function eventTypes(...types: readonly EventType[]): EventTypes {
  return types.reduce<EventTypes>((set, type) => set | (1 << type), 0);
}

export const OUTCOMES = eventTypes(
  EventType.DELIVERED,
  EventType.COLLAPSED,
  EventType.DROPPED_TOO_MANY_PENDING_MESSAGES,
  EventType.DROPPED_APP_FORCE_STOPPED,
  EventType.DROPPED_DEVICE_INACTIVE,
  EventType.DROPPED_TTL_EXPIRED,
);

/** What shows that the device was disconnected. */
export const DISCONNECTED = eventTypes(EventType.STORED, EventType.DELAYED_DEVICE_OFFLINE);

export const PROXY_RESULTS = eventTypes(
  EventType.PROXY_PROXIED,
  EventType.PROXY_FAILED,
  EventType.PROXY_SKIPPED_UNSUPPORTED,
  EventType.PROXY_SKIPPED_NOT_THROTTLED,
  EventType.PROXY_SKIPPED_UNCONFIGURED,
  EventType.PROXY_SKIPPED_OPTED_OUT,
);
