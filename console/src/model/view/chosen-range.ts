import { civilDate, type Day, dayOfCivil } from "#src/model/day.js";
import { type DayRange, rangeBefore, rangeYearBefore, upTo } from "../days/day-range.js";

/** Numbers of days up to the last listed one that the range picker offers. */
export const RECENT_DAYS = [7, 28, 90] as const;

/** Other ranges that move with the last listed day, by their name in an address. */
export const PRESETS = ["yesterday", "this-month", "last-month", "12-months"] as const;

export type Preset = (typeof PRESETS)[number];

/** A range of days: one that moves with the last listed day, or one that the viewer entered. */
export type ChosenRange =
  | { readonly kind: "recent"; readonly days: (typeof RECENT_DAYS)[number] }
  | { readonly kind: "preset"; readonly preset: Preset }
  | { readonly kind: "own"; readonly range: DayRange };

/** Earlier ranges that figures can be compared with, by their name in an address: the default one first. */
export const EARLIER = ["before", "year"] as const;

export type Earlier = (typeof EARLIER)[number];

/** The range that another one is compared with: the one just before, or the same dates of the year before. */
export const earlierRange = (range: DayRange, earlier: Earlier): DayRange =>
  earlier === "year" ? rangeYearBefore(range) : rangeBefore(range);

/** Resolves a choice of days, given the last listed day, with which every range ends at the latest. */
export function resolveRange(chosen: ChosenRange, listed: Day): DayRange {
  switch (chosen.kind) {
    case "own":
      return upTo(chosen.range, listed);
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
