import { parseEventTime } from "../../messaging-data/events/event-time.js";

/** Formats of times in logs: a string, or the time since 1970 in one of three units. */
export const TIME_FORMATS = ["iso", "seconds", "milliseconds", "microseconds"] as const;

export type TimeFormat = (typeof TIME_FORMATS)[number];

/** A time in RFC 3339, or a description of the problem. */
export type ReadTime = { readonly time: string } | { readonly problem: string };

/** Microseconds per unit, largest unit first. */
const UNITS = { seconds: 1_000_000, milliseconds: 1000, microseconds: 1 } as const;
type Unit = keyof typeof UNITS;

/** ISO 8601 with `T` or a space between date and time. `UTC` is accepted as an offset. */
const ISO = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d{1,12}))? ?(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/i;
const NUMBER = /^-?\d+(\.\d+)?(E\+?\d+)?$/i;

/** Range of plausible years. Times outside this range probably have another unit. */
const PLAUSIBLE = { from: Date.UTC(2000), to: Date.UTC(2100) } as const;

/** Converts a time to RFC 3339. @param offset offset for times without one, such as `Z`. */
export function eventTimeOf(text: string, format: TimeFormat, offset?: string): ReadTime {
  return format === "iso" ? ofIso(text, offset) : ofNumber(text, format);
}

function ofIso(text: string, otherwise: string | undefined): ReadTime {
  const [, day, clock, fraction, zone] = ISO.exec(text) ?? [];
  const offset = zone === undefined ? otherwise : offsetOf(zone.toUpperCase());
  if (day === undefined || offset === undefined) return { problem: "is not an ISO 8601 time with an offset" };
  const time = `${day}T${clock}${fraction === undefined ? "" : `.${fraction}`}${offset}`;
  return isTime(time) ? { time } : { problem: "has a day, hour, minute, second or offset out of range" };
}

function offsetOf(zone: string): string {
  if (zone === "Z" || zone === "UTC") return "Z";
  const digits = zone.slice(1).replace(":", "").padEnd(4, "0");
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

function ofNumber(text: string, unit: Unit): ReadTime {
  if (!NUMBER.test(text)) return { problem: `is not a number of ${unit} since 1970` };
  const time = isoOf(text, unit);
  if (time === undefined || !isTime(time)) return { problem: `is not a number of ${unit} since 1970` };
  const larger = isPlausible(time) ? undefined : largerUnitOf(text, unit);
  if (larger === undefined) return { time };
  return { problem: `must be in ${unit} since 1970, and seems to be in ${larger}` };
}

/** Returns the larger unit in which a number would be a plausible time. */
function largerUnitOf(text: string, unit: Unit): Unit | undefined {
  const units = Object.keys(UNITS) as Unit[];
  return units.slice(0, units.indexOf(unit)).find((larger) => {
    const time = isoOf(text, larger);
    return time !== undefined && isPlausible(time);
  });
}

function isPlausible(time: string): boolean {
  const at = Date.parse(time);
  return at >= PLAUSIBLE.from && at < PLAUSIBLE.to;
}

function isoOf(text: string, unit: Unit): string | undefined {
  // Rounds to microseconds first, because fractional seconds are not exact.
  const time = new Date(Math.floor(Math.round(Number(text) * UNITS[unit]) / 1000));
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** Returns true if the server would accept a time. */
function isTime(time: string): boolean {
  const bytes = Buffer.from(time);
  return !Number.isNaN(parseEventTime(bytes, 0, bytes.length));
}
