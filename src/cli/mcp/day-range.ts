import { type Day, type DayRange, dayOfJson, formatDay, parseDay } from "../../model/day.js";
import type { Reading } from "./read-tool.js";
import { appName } from "./words.js";

/** Requested range: the first and last day, `YYYY-MM-DD`. */
export interface RangeArguments {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Length of the default range, in days. */
const DEFAULT_DAYS = 7;
const MAX_RANGE_DAYS = 366;

/**
 * Returns the requested range. By default, this is the seven days up to the last day with data.
 *
 * @throws Error if the app has no data, or the range is reversed or too long.
 */
export async function readRange(
  app: string,
  { from, to }: RangeArguments,
  reading: Reading,
): Promise<DayRange> {
  const last = to === undefined ? await lastDayOf(app, reading) : dayOfText(to);
  const first = from === undefined ? last - DEFAULT_DAYS + 1 : dayOfText(from);
  const days = last - first + 1;
  if (days < 1) throw new Error(`the first day, ${formatDay(first)}, is after the last, ${formatDay(last)}`);
  if (days > MAX_RANGE_DAYS) throw new Error(`${days} days are too many; the maximum is ${MAX_RANGE_DAYS}`);
  return { first, last };
}

/** Returns the first and last day, `YYYY-MM-DD`. */
export const endsOf = ({ first, last }: DayRange): { from: string; to: string } => ({
  from: formatDay(first),
  to: formatDay(last),
});

/** Returns an app's last day with data. @throws Error if the app has no data. */
export async function lastDayOf(app: string, { client, project, signal }: Reading): Promise<Day> {
  // The list starts with the newest date.
  const { androidDeliveryData: [newest] = [] } = await client
    .listDeliveryData({ project, app, pageSize: 1, signal })
    .readPage();
  if (newest?.date === undefined)
    throw new Error(`there is no delivery data for ${appName(app)}; list_apps lists all apps with data`);
  return dayOfJson(newest.date);
}

function dayOfText(text: string): Day {
  const day = parseDay(text);
  if (day === undefined) throw new Error(`${text} is not a date`);
  return day;
}
