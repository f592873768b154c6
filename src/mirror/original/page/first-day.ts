import { civilDate, type Day, dayOfCivil } from "../../../model/day.js";
import type { KnownFields } from "./known-fields.js";

/**
 * Returns the first day of a whole or partial date (specification 2.4); `undefined` if it has no year, or is no date.
 *
 * @param date the JSON form of a `google.type.Date`.
 */
export function firstDayOf(date: KnownFields): Day | undefined {
  const { year = 0, month = 0, day = 0 } = date as Readonly<Record<string, number>>;
  if (year < 1 || year > 9999 || month < 0 || month > 12 || day < 0 || day > 31) return undefined;
  if (month === 0) return day === 0 ? dayOfCivil(year, 1, 1) : undefined;
  const first = dayOfCivil(year, month, day || 1);
  return day <= 28 || civilDate(first).month === month ? first : undefined;
}
