import { civilDate, type Day, dayOfCivil, FIRST_DAY } from "#src/model/day.js";
import { type DayRange, daysIn, rangeBefore, rangeYearBefore, upTo } from "../days/day-range.js";

/** Range lengths in the range picker, in days up to the last listed one. */
export const RECENT_DAYS = [7, 28, 90] as const;

/** Other ranges relative to the last listed day, by their name in the URL. */
export const PRESETS = ["yesterday", "this-month", "last-month", "12-months"] as const;

export type Preset = (typeof PRESETS)[number];

/** A choice of days: relative to the last listed day, from a date up to that day, or two dates. */
export type ChosenRange =
  | { readonly kind: "recent"; readonly days: (typeof RECENT_DAYS)[number] }
  | { readonly kind: "preset"; readonly preset: Preset }
  | { readonly kind: "since"; readonly first: Day }
  | { readonly kind: "own"; readonly range: DayRange };

/** Earlier ranges for comparison, by their name in the URL. The first is the default. */
export const EARLIER = ["before", "year"] as const;

export type Earlier = (typeof EARLIER)[number];

/**
 * Returns the range to compare with: the preceding one, or the same dates one year earlier. The range before a single day is
 * the same weekday of the week before.
 */
export function earlierRange(range: DayRange, earlier: Earlier): DayRange {
  if (earlier === "year") return rangeYearBefore(range);
  if (daysIn(range) > 1) return rangeBefore(range);
  const day = Math.max(FIRST_DAY, range.first - DAYS_OF_WEEK);
  return { first: day, last: day };
}

const DAYS_OF_WEEK = 7;
/** Resolves a choice of days. No range ends after the last listed day. */
export function resolveRange(chosen: ChosenRange, listed: Day): DayRange {
  switch (chosen.kind) {
    case "own":
      return upTo(chosen.range, listed);
    case "since":
      return { first: chosen.first, last: Math.max(chosen.first, listed) };
    case "recent":
      return { first: listed - chosen.days + 1, last: listed };
    case "preset":
      return presetRange(chosen.preset, listed);
  }
}

function presetRange(preset: Preset, listed: Day): DayRange {
  const { year, month, day } = civilDate(listed);
  const firstOfMonth = listed - day + 1;
  switch (preset) {
    case "yesterday":
      return { first: listed, last: listed };
    case "this-month":
      return { first: firstOfMonth, last: listed };
    case "last-month":
      return {
        first: month === 1 ? dayOfCivil(year - 1, 12, 1) : dayOfCivil(year, month - 1, 1),
        last: firstOfMonth - 1,
      };
    case "12-months":
      return { first: rangeYearBefore({ first: listed, last: listed }).first + 1, last: listed };
  }
}
