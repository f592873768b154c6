/** How a log writes times: as text, or as the time since 1970 in one of three units. */
export const TIME_FORMATS = ["iso", "seconds", "milliseconds", "microseconds"] as const;

/** One of {@link TIME_FORMATS}. */
export type TimeFormat = (typeof TIME_FORMATS)[number];

const MICROSECONDS: Readonly<Record<Exclude<TimeFormat, "iso">, number>> = {
  seconds: 1_000_000,
  milliseconds: 1000,
  microseconds: 1,
};

/** ISO 8601 with `T` or a space, and `UTC` beside the usual offsets. */
const ISO = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:[.,](\d{1,9}))? ?(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/i;
const NUMBER = /^-?\d+(\.\d+)?(E\+?\d+)?$/i;

/**
 * Writes a time of a log as RFC 3339.
 *
 * @param offset offset of times that have none, such as `Z`.
 * @returns undefined if the text is not a time of the format, or has no offset. Days that do not exist are not
 * found: the server rejects them.
 */
export function eventTimeOf(text: string, format: TimeFormat, offset?: string): string | undefined {
  return format === "iso" ? ofIso(text, offset) : ofNumber(text, MICROSECONDS[format]);
}

function ofIso(text: string, otherwise: string | undefined): string | undefined {
  const [, day, time, fraction, given] = ISO.exec(text) ?? [];
  const offset = given === undefined ? otherwise : offsetOf(given.toUpperCase());
  if (day === undefined || offset === undefined) return undefined;
  return `${day}T${time}${fraction === undefined ? "" : `.${fraction}`}${offset}`;
}

function offsetOf(given: string): string {
  if (given === "Z" || given === "UTC") return "Z";
  const digits = given.slice(1).replace(":", "").padEnd(4, "0");
  return `${given[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

function ofNumber(text: string, unit: number): string | undefined {
  if (!NUMBER.test(text)) return undefined;
  // Rounded to microseconds first: a number of seconds with a fraction is not exact.
  const time = new Date(Math.floor(Math.round(Number(text) * unit) / 1000));
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
