import { MessageEvent_EventType as EventType } from "../gen/waybill/messagingdata/v1beta1/message_event_pb.js";

/** A message to an app instance, and its state from acceptance to outcome. */
export interface Message {
  /** Start of each line about the message, with its app and id. */
  readonly linePrefix: string;
  /** Index of the app. */
  readonly app: number;
  /** Index of the Los Angeles day of acceptance. */
  readonly day: number;
  /** First instant after that day, in milliseconds since the epoch. */
  readonly dayEnd: number;
  /** Index of the label; 0 means no label. */
  readonly label: number;
  readonly notification: boolean;
  /** True if the device shares usage and diagnostics. */
  readonly optedIn: boolean;
  readonly acceptedAt: number;
  /** End of its time to live. If equal to {@link acceptedAt}, the message is delivered now or never. */
  readonly expiresAt: number;
  /** 0 means no key: no later message replaces it. */
  readonly collapseKey: number;
  /** True for high priority, false for normal priority. */
  highPriority: boolean;
  /** Types of its events up to now. */
  reported: EventTypes;
  /** Types of its events before {@link dayEnd}. */
  reportedThatDay: EventTypes;
  lastReportAt: number;
}

/** A set of event types, one bit each. */
export type EventTypes = number;

/** Returns a set of event types. */
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

/** Events that show a disconnected device. */
export const DISCONNECTED = eventTypes(EventType.STORED, EventType.DELAYED_DEVICE_OFFLINE);

export const PROXY_RESULTS = eventTypes(
  EventType.PROXY_PROXIED,
  EventType.PROXY_FAILED,
  EventType.PROXY_SKIPPED_UNSUPPORTED,
  EventType.PROXY_SKIPPED_NOT_THROTTLED,
  EventType.PROXY_SKIPPED_UNCONFIGURED,
  EventType.PROXY_SKIPPED_OPTED_OUT,
);
