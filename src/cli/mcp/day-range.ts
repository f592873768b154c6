import { type Day, dayOfJson, formatDay, parseDay } from "../../model/day.js";
import type { Reading } from "./read-tool.js";
import { appName } from "./words.js";

/** A range of days, both included. */
export interface DayRange {
  readonly first: Day;
  readonly last: Day;
}

/** The ends of a range as an assistant gives them, `YYYY-MM-DD`. */
export interface RangeArguments {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Days of a range whose ends are not both given. */
const DEFAULT_DAYS = 7;
const MAX_RANGE_DAYS = 366;

/**
 * The range that an assistant asks for: by default the last seven days up to the last one with data.
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
  if (days > MAX_RANGE_DAYS) throw new Error(`${days} days are too many: ask for at most ${MAX_RANGE_DAYS}`);
  return { first, last };
}

/** The range of as many days that ends where another begins. */
export const rangeBefore = ({ first, last }: DayRange): DayRange => ({
  first: first - (last - first + 1),
  last: first - 1,
});

/** Returns the ends of a range, `YYYY-MM-DD`. */
export const endsOf = ({ first, last }: DayRange): { from: string; to: string } => ({
  from: formatDay(first),
  to: formatDay(last),
});

/**
 * The last day on which an app has data.
 *
 * @throws Error if it has none.
 */
export async function lastDayOf(app: string, { client, project, signal }: Reading): Promise<Day> {
  // The list begins with the newest date.
  const { androidDeliveryData: [newest] = [] } = await client
    .listDeliveryData({ project, app, pageSize: 1, signal })
    .readPage();
  if (newest?.date === undefined)
    throw new Error(`there is no delivery data of ${appName(app)}; list_apps names the apps that have any`);
  return dayOfJson(newest.date);
}

function dayOfText(text: string): Day {
  const day = parseDay(text);
  if (day === undefined) throw new Error(`${text} is not a date`);
  return day;
}
