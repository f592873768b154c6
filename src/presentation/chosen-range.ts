import { civilDate, type Day, type DayRange, dayOfCivil, dayYearBefore, parseDay } from "../model/day.js";

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

/** Range if the URL has none. */
export const DEFAULT_RANGE = { kind: "recent", days: 28 } as const satisfies ChosenRange;

/** Parses the choice of days in a URL query. Ignores invalid parameters. */
export function chosenRangeOf(parameters: URLSearchParams): ChosenRange {
  const range = rangeOf(parameters.get("from"), parameters.get("to"));
  if (range !== undefined) return { kind: "own", range };
  const from = parameters.get("from");
  const first = from === null || parameters.has("to") ? undefined : parseDay(from);
  if (first !== undefined) return { kind: "since", first };
  const preset = PRESETS.find((preset) => preset === parameters.get("range"));
  if (preset !== undefined) return { kind: "preset", preset };
  const days = RECENT_DAYS.find((days) => String(days) === parameters.get("days"));
  return days === undefined ? DEFAULT_RANGE : { kind: "recent", days };
}

/** Parses two dates. Undefined unless both are valid, and in order. */
export function rangeOf(from: string | null, to: string | null): DayRange | undefined {
  const first = from === null ? undefined : parseDay(from);
  const last = to === null ? undefined : parseDay(to);
  return first !== undefined && last !== undefined && first <= last ? { first, last } : undefined;
}

/** Parses the labels in a URL query, "" for messages without one. Undefined for all labels. */
export function chosenLabelsOf(parameters: URLSearchParams): readonly string[] | undefined {
  const labels = parameters.getAll("label");
  return labels.length > 0 ? [...new Set(labels)] : undefined;
}

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
      return { first: dayYearBefore(listed) + 1, last: listed };
  }
}

/** Cuts a range after a day. Returns a range that begins later unchanged. */
export const upTo = (range: DayRange, last: Day): DayRange =>
  range.first > last || range.last <= last ? range : { first: range.first, last };
