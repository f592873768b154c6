import {
  MessageEvent_EventType as EventType,
  MessageEventSchema,
} from "../../gen/waybill/messagingdata/v1beta1/message_event_pb.js";
import { printable } from "../../limits/excerpt.js";
import { formatDay } from "../../model/day.js";
import { isLabel, MAX_ID_LENGTH, UNNAMEABLE_APPS } from "../../model/names.js";
import { type AcceptedRange, parseEventTime } from "./event-time.js";

/** The event in a valid line. */
export interface MessageEvent {
  readonly appId: string;
  readonly messageId: string;
  /** Time of the event, in milliseconds since the Unix epoch. */
  readonly eventTime: number;
  readonly eventType: EventType;
  /** Analytics label of an ACCEPTED event. Empty for other events, and for events without a label. */
  readonly analyticsLabel: string;
  readonly notification: boolean;
  readonly usageReportingOptIn: boolean;
}

/** An error in one line of an import. */
export interface LineViolation {
  /** Number of the line, from 1. */
  readonly line: number;
  /** Name of the field, such as `eventType`. Empty if the error concerns the whole line. */
  readonly field: string;
  readonly description: string;
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const ENCODER = new TextEncoder();

/** Contract fields, by both names that ProtoJSON accepts for each. */
const FIELDS = new Map(
  MessageEventSchema.fields.flatMap((field) => [
    [field.jsonName, field.localName],
    [field.name, field.localName],
  ]),
);

/**
 * Matches a JSON string, and a colon after it, which shows that the string is a key. Because whole strings match,
 * quotes within them are skipped.
 */
const STRING = /"(?:[^"\\]|\\.)*"(?:\s*:)?/g;

type Report = (field: string, description: string) => undefined;

/**
 * Reads a line as the contract defines it: first as ProtoJSON, then by the constraints on fields. This function defines
 * which events are valid. `EventScanner` is faster, but only reads lines in the usual form.
 *
 * @param violations collects the errors in the line.
 * @returns the event; `undefined` if the line has errors.
 */
export function readEventLine(
  line: Uint8Array,
  lineNumber: number,
  days: AcceptedRange,
  violations: LineViolation[],
): MessageEvent | undefined {
  const before = violations.length;
  const report: Report = (field, description) => {
    violations.push({ line: lineNumber, field, description });
    return undefined;
  };
  const values = readObject(line, report);
  if (values === undefined) return undefined;
  const event: MessageEvent = {
    appId: readId("appId", values.get("appId"), report),
    messageId: readId("messageId", values.get("messageId"), report),
    eventTime: readTime(values.get("eventTime"), days, report),
    eventType: readEventType(values.get("eventType"), report),
    analyticsLabel: readLabel(values.get("analyticsLabel"), report),
    notification: readBoolean("notification", values.get("notification"), report),
    usageReportingOptIn: readBoolean("usageReportingOptIn", values.get("usageReportingOptIn"), report),
  };
  if (violations.length > before) return undefined;
  return event.eventType === EventType.ACCEPTED
    ? event
    : { ...event, analyticsLabel: "", notification: false };
}

/** Returns field values by contract name. A null value means that the field is absent (ProtoJSON). */
function readObject(line: Uint8Array, report: Report): Map<string, unknown> | undefined {
  let text: string;
  let json: unknown;
  try {
    text = UTF8.decode(line);
  } catch {
    return report("", "is not UTF-8");
  }
  try {
    json = JSON.parse(text);
  } catch {
    return report("", "is not JSON: each line is one event as a JSON object");
  }
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    return report("", "is not a JSON object: each line is one event");
  }
  const values = new Map<string, unknown>();
  let known = true;
  for (const [key, value] of Object.entries(json)) {
    const name = FIELDS.get(key);
    if (name === undefined) {
      known = false;
      report(printable(key), "is not a field of a message event");
    } else if (values.has(name)) {
      report(key, "is set twice");
    } else {
      values.set(name, value ?? undefined);
    }
  }
  const flat = [...values.values()].every((value) => typeof value !== "object");
  const keys = text.match(STRING)?.filter((string) => string.endsWith(":")) ?? [];
  if (known && flat && keys.length > Object.keys(json).length) {
    report("", "sets a field twice");
  }
  return values;
}

function readId(name: "appId" | "messageId", value: unknown, report: Report): string {
  if (value === undefined || value === "") report(name, "is required");
  else if (typeof value !== "string") report(name, "must be a string");
  else if (/\p{Surrogate}/u.test(value))
    report(name, "must be valid Unicode: it has half of a surrogate pair");
  else if (value.length > MAX_ID_LENGTH && [...value].length > MAX_ID_LENGTH) {
    report(name, `must have at most ${MAX_ID_LENGTH} characters`);
  } else if (name === "appId" && /[/\p{Cc}]/u.test(value)) {
    report(name, `must have neither a slash nor control characters: ${printable(value)}`);
  } else if (name === "appId" && UNNAMEABLE_APPS.has(value)) {
    report(name, 'must not be "-", "." or "..", which have a special meaning in paths');
  } else return value;
  return "";
}

function readTime(value: unknown, days: AcceptedRange, report: Report): number {
  if (value === undefined) report("eventTime", "is required");
  else if (typeof value !== "string") report("eventTime", "must be an RFC 3339 timestamp in a string");
  else {
    const bytes = ENCODER.encode(value);
    const time = parseEventTime(bytes, 0, bytes.length);
    if (Number.isNaN(time)) {
      const form = 'must be an RFC 3339 timestamp with an offset, such as "2026-03-08T09:30:00.250Z"';
      report("eventTime", `${form}: ${printable(value)}`);
    } else if (time < days.start || time >= days.end) {
      const [first, last] = [formatDay(days.first), formatDay(days.last)];
      const range = `must fall on a day from ${first} to ${last} in America/Los_Angeles`;
      report("eventTime", `${range}: ${printable(value)}`);
    } else return time;
  }
  return 0;
}

function readEventType(value: unknown, report: Report): EventType {
  const type =
    typeof value === "string"
      ? EventType[value as keyof typeof EventType]
      : typeof value === "number" && EventType[value] !== undefined
        ? (value as EventType)
        : undefined;
  if (value === undefined || type === EventType.EVENT_TYPE_UNSPECIFIED) report("eventType", "is required");
  else if (type !== undefined && typeof type === "number") return type;
  else if (typeof value === "string") report("eventType", `is not a type of event: ${printable(value)}`);
  else report("eventType", "must be a string that names an event type");
  return EventType.EVENT_TYPE_UNSPECIFIED;
}

function readLabel(value: unknown, report: Report): string {
  if (value === undefined) return "";
  if (typeof value !== "string") report("analyticsLabel", "must be a string");
  else if (value !== "" && !isLabel(value)) {
    const form = "must have 1 to 50 of the characters a-z, A-Z, 0-9, -, _, ., ~ and %";
    report("analyticsLabel", `${form}: ${printable(value)}`);
  } else return value;
  return "";
}

function readBoolean(name: string, value: unknown, report: Report): boolean {
  if (value === undefined) return false;
  if (typeof value !== "boolean") report(name, "must be true or false");
  return value === true;
}
