/** State of an app instance and its device for some time. */
export type Condition = "connected" | "offline" | "dozing" | "userStopped" | "forceStopped" | "inactive";

/** A part of a habit. */
export interface Phase {
  readonly condition: Condition;
  /** Average duration in milliseconds; Infinity means forever. */
  readonly mean: number;
}

/** The use of a device: its phases repeat in this order. */
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

/** A device with several users, of whom one is active at a time. */
const shared: Habit = {
  share: 8,
  phases: [
    { condition: "connected", mean: 5 * HOUR },
    { condition: "userStopped", mean: 4 * HOUR },
    { condition: "offline", mean: HOUR },
  ],
};

/** A device whose owner force-stops the app. */
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

/** Returns the habit at a position from 0 to below 1; each habit covers its share of that range. */
export function habitAt(position: number): Habit {
  return HABITS[Math.floor(position * HABITS.length)] ?? everyday;
}
