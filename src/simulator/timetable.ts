import type { LosAngelesDay } from "./los-angeles-days.js";

/** A quarter of an hour of simulated time. */
export interface Slice {
  /** Index of the day. */
  readonly day: number;
  /** Milliseconds since the epoch. */
  readonly start: number;
  /** First instant after the slice, in milliseconds since the epoch. */
  readonly end: number;
  /** Number of messages accepted in the slice. */
  readonly messages: number;
}

const HOUR = 3_600_000;
const SLICE = HOUR / 4;

/** Relative traffic of each weekday, from Sunday. */
const WEEKDAYS = [0.72, 1.02, 1.05, 1.04, 1.08, 1.2, 0.89];

/** Relative traffic of each hour of a day: low at night, high at noon, highest in the evening. */
const HOURS = [
  0.35, 0.22, 0.15, 0.12, 0.14, 0.25, 0.5, 0.85, 1.1, 1.25, 1.3, 1.35, 1.45, 1.35, 1.25, 1.2, 1.25, 1.4, 1.55,
  1.7, 1.65, 1.4, 1.0, 0.6,
];

/** Distributes messages over days with a weekly rhythm. Yields slices in order, with `messages` in total. */
export function* timetable(days: readonly LosAngelesDay[], messages: number): Generator<Slice> {
  const slices = days.flatMap((day, index) =>
    Array.from({ length: (day.end - day.start) / SLICE }, (_, slice) => {
      const start = day.start + slice * SLICE;
      return { day: index, start, end: start + SLICE, weight: weight(day, start) };
    }),
  );
  const total = slices.reduce((sum, slice) => sum + slice.weight, 0);
  let passed = 0;
  let planned = 0;
  for (const { day, start, end, weight } of slices) {
    passed += weight;
    const due = Math.round((messages * passed) / total);
    yield { day, start, end, messages: due - planned };
    planned = due;
  }
}

function weight(day: LosAngelesDay, instant: number): number {
  const hour = Math.floor((instant - day.start) / HOUR) % HOURS.length;
  return (WEEKDAYS[day.weekday] ?? 0) * (HOURS[hour] ?? 0);
}
