import { at } from "../model/collections.js";
import type { LosAngelesDay } from "./los-angeles-time.js";

/** State of an app instance and its device for some time. */
export type Condition = "connected" | "offline" | "dozing" | "userStopped" | "forceStopped" | "inactive";

/** A part of a habit. */
export interface Phase {
  readonly condition: Condition;
  /** Average duration in milliseconds; Infinity means forever. */
  readonly mean: number;
}

/** Device use: its phases repeat in this order. */
export interface Habit {
  readonly phases: readonly [Phase, ...Phase[]];
  /** Number of devices with this habit, relative to the other habits. */
  readonly share: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A phone that is used all day. */
const everyday: Habit = {
  share: 60,
  phases: [
    { condition: "connected", mean: 9 * HOUR },
    { condition: "dozing", mean: 90 * MINUTE },
    { condition: "connected", mean: 4 * HOUR },
    { condition: "offline", mean: 20 * MINUTE },
  ],
};

/** A phone with poor coverage that is often idle when connected. */
const commuter: Habit = {
  share: 14,
  phases: [
    { condition: "connected", mean: 2 * HOUR },
    { condition: "offline", mean: 40 * MINUTE },
    { condition: "dozing", mean: 2 * HOUR },
  ],
};

/** A tablet that is used every few days. */
const tablet: Habit = {
  share: 9,
  phases: [
    { condition: "offline", mean: 2.5 * DAY },
    { condition: "connected", mean: 3 * HOUR },
  ],
};

/** A device with several users. One is active at a time. */
const shared: Habit = {
  share: 8,
  phases: [
    { condition: "connected", mean: 5 * HOUR },
    { condition: "userStopped", mean: 4 * HOUR },
    { condition: "offline", mean: HOUR },
  ],
};

/** A device with an owner who force-stops the app. */
const stopper: Habit = {
  share: 5,
  phases: [
    { condition: "connected", mean: 12 * HOUR },
    { condition: "forceStopped", mean: 8 * HOUR },
  ],
};

/** A device that never reconnects and finally counts as inactive. */
const abandoned: Habit = {
  share: 4,
  phases: [
    { condition: "offline", mean: 4 * DAY },
    { condition: "inactive", mean: Number.POSITIVE_INFINITY },
  ],
};

/** The habits, each repeated by its share. */
const HABITS = [everyday, commuter, tablet, shared, stopper, abandoned].flatMap((habit) =>
  Array<Habit>(habit.share).fill(habit),
);

/** Returns the habit at a position from 0 (inclusive) to 1 (exclusive). Each habit covers its share of this range. */
export function habitAt(position: number): Habit {
  return HABITS[Math.floor(position * HABITS.length)] ?? everyday;
}

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
  return at(WEEKDAYS, day.weekday) * at(HOURS, hour);
}
