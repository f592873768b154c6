/** What an app instance and its device are in for a while. */
export type Condition = "connected" | "offline" | "dozing" | "userStopped" | "forceStopped" | "inactive";

/** One part of a habit. */
export interface Phase {
  readonly condition: Condition;
  /** How long it takes on average, in milliseconds. Infinity: for good. */
  readonly mean: number;
}

/** How a device is used: its phases follow one another in this order, again and again. */
export interface Habit {
  readonly phases: readonly [Phase, ...Phase[]];
  /** How many devices have this habit, relative to the others. */
  readonly share: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A phone at hand all day. */
const everyday: Habit = {
  share: 60,
  phases: [
    { condition: "connected", mean: 9 * HOUR },
    { condition: "dozing", mean: 90 * MINUTE },
    { condition: "connected", mean: 4 * HOUR },
    { condition: "offline", mean: 20 * MINUTE },
  ],
};

/** A phone with poor coverage, which lies still when it finds some. */
const commuter: Habit = {
  share: 14,
  phases: [
    { condition: "connected", mean: 2 * HOUR },
    { condition: "offline", mean: 40 * MINUTE },
    { condition: "dozing", mean: 2 * HOUR },
  ],
};

/** A tablet that is taken out of its drawer every few days. */
const tablet: Habit = {
  share: 9,
  phases: [
    { condition: "offline", mean: 2.5 * DAY },
    { condition: "connected", mean: 3 * HOUR },
  ],
};

/** A device of several users, of whom one is active at a time. */
const shared: Habit = {
  share: 8,
  phases: [
    { condition: "connected", mean: 5 * HOUR },
    { condition: "userStopped", mean: 4 * HOUR },
    { condition: "offline", mean: HOUR },
  ],
};

/** A device whose owner stops the app by force. */
const stopper: Habit = {
  share: 5,
  phases: [
    { condition: "connected", mean: 12 * HOUR },
    { condition: "forceStopped", mean: 8 * HOUR },
  ],
};

/** A device that never connects again and is deemed inactive in the end. */
const abandoned: Habit = {
  share: 4,
  phases: [
    { condition: "offline", mean: 4 * DAY },
    { condition: "inactive", mean: Number.POSITIVE_INFINITY },
  ],
};

/** Each habit as often as its share says. */
const HABITS = [everyday, commuter, tablet, shared, stopper, abandoned].flatMap((habit) =>
  Array<Habit>(habit.share).fill(habit),
);

/** The habit at a position of at least 0 and less than 1, where each habit takes up its share of the way. */
export function habitAt(position: number): Habit {
  return HABITS[Math.floor(position * HABITS.length)] ?? everyday;
}
