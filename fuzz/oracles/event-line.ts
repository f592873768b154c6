import { readStrictJson, type StrictJson } from "./strict-json.js";

/** An event according to the decisions on message events. */
export interface ExpectedEvent {
  readonly appId: string;
  readonly messageId: string;
  /** Milliseconds since the Unix epoch. */
  readonly eventTime: number;
  /** Number of the type in the contract. */
  readonly eventType: number;
  readonly analyticsLabel: string;
  readonly notification: boolean;
  readonly usageReportingOptIn: boolean;
}

const ACCEPTED = 1;

const FIELDS = [
  ...["appId", "messageId", "eventTime", "eventType", "analyticsLabel", "notification"],
  "usageReportingOptIn",
] as const;

/** Reads a line of an import without sharing code with the service. */
export class ExpectedEvents {
  readonly #types: ReadonlyMap<string, number>;
  readonly #days: readonly [first: string, last: string];

  /**
   * @param types numbers of the event types by name.
   * @param days first and last accepted date in Los Angeles, such as `1970-01-01`.
   */
  constructor(types: ReadonlyMap<string, number>, days: readonly [first: string, last: string]) {
    this.#types = types;
    this.#days = days;
  }

  /** @returns undefined if the line is not a valid event. */
  read(line: Uint8Array): ExpectedEvent | undefined {
    const given = this.#fieldsOf(line);
    if (given === undefined) return undefined;
    const appId = textOf(given.get("appId"));
    const messageId = textOf(given.get("messageId"));
    const eventTime = timeOf(textOf(given.get("eventTime")) ?? "", this.#days);
    const eventType = this.#typeOf(given.get("eventType"));
    const analyticsLabel = given.has("analyticsLabel") ? textOf(given.get("analyticsLabel")) : "";
    const notification = booleanOf(given.get("notification"));
    const usageReportingOptIn = booleanOf(given.get("usageReportingOptIn"));
    if (!isId(appId) || !isId(messageId) || !isAppId(appId)) return undefined;
    if (eventTime === undefined || eventType === undefined) return undefined;
    if (analyticsLabel === undefined || !/^[a-zA-Z0-9\-_.~%]{0,50}$/.test(analyticsLabel)) return undefined;
    if (notification === undefined || usageReportingOptIn === undefined) return undefined;
    const accepted = eventType === ACCEPTED;
    return {
      appId,
      messageId,
      eventTime,
      eventType,
      analyticsLabel: accepted ? analyticsLabel : "",
      notification: accepted && notification,
      usageReportingOptIn,
    };
  }

  /** The fields by JSON name. A null counts as absent (ProtoJSON). */
  #fieldsOf(line: Uint8Array): Map<string, StrictJson> | undefined {
    let text: string;
    try {
      text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line);
    } catch {
      return undefined;
    }
    const json = readStrictJson(text);
    if (json?.kind !== "object") return undefined;
    const given = new Map<string, StrictJson>();
    const seen = new Set<string>();
    for (const [key, value] of json.value) {
      const name = FIELDS.find((field) => field === key || snakeCase(field) === key);
      if (name === undefined || seen.has(name)) return undefined;
      seen.add(name);
      if (value.kind !== "null") given.set(name, value);
    }
    return given;
  }

  #typeOf(value: StrictJson | undefined): number | undefined {
    if (value?.kind === "string") return this.#types.get(value.value);
    if (value?.kind !== "number") return undefined;
    return [...this.#types.values()].find((number) => number === Number(value.value));
  }
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const textOf = (value: StrictJson | undefined): string | undefined =>
  value?.kind === "string" ? value.value : undefined;

function booleanOf(value: StrictJson | undefined): boolean | undefined {
  if (value === undefined) return false;
  return value.kind === "boolean" ? value.value : undefined;
}

/** Returns true for 1 to 256 characters without lone surrogates. */
function isId(text: string | undefined): text is string {
  if (text === undefined || /\p{Surrogate}/u.test(text)) return false;
  const { length } = Array.from(text);
  return length >= 1 && length <= 256;
}

function isAppId(text: string): boolean {
  return !["-", ".", ".."].includes(text) && !/[/\p{Cc}]/u.test(text);
}

const TIME = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)$/;

/** An RFC 3339 timestamp within the days, to the millisecond. */
function timeOf(text: string, [first, last]: readonly [string, string]): number | undefined {
  const match = TIME.exec(text);
  if (match === null) return undefined;
  const [, date = "", clock = "", fraction = "", offset = ""] = match;
  // JavaScript accepts February 30 and hour 24; RFC 3339 does not.
  const midnight = new Date(`${date}T00:00:00.000Z`);
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(date)) return undefined;
  if (clock.startsWith("24")) return undefined;
  const milliseconds = fraction.padEnd(3, "0").slice(0, 3);
  const time = Date.parse(`${date}T${clock}.${milliseconds}${offset.toUpperCase()}`);
  if (Number.isNaN(time)) return undefined;
  // Far from both ends, the date in Los Angeles does not matter.
  if (time > Date.parse(first) + 2 * DAY_MS && time < Date.parse(last) - 2 * DAY_MS) return time;
  const day = dateOf(time);
  return day !== undefined && day >= first && day <= last ? time : undefined;
}

const DAY_MS = 86_400_000;

const DATE = new Intl.DateTimeFormat("en-US", {
  timeZone: "America/Los_Angeles",
  calendar: "gregory",
  era: "short",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
});

/** The date in Los Angeles, if its year is 1 to 9999. */
function dateOf(time: number): string | undefined {
  const parts = new Map(DATE.formatToParts(time).map(({ type, value }) => [type, value]));
  const year = (parts.get("year") ?? "").padStart(4, "0");
  return parts.get("era") === "AD" && year.length === 4
    ? `${year}-${parts.get("month")}-${parts.get("day")}`
    : undefined;
}
