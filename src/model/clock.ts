/** A time in milliseconds since the Unix epoch, as `Date.now()` returns it. Durations are plain numbers. */
export type UnixMillis = number;

/** Duration units, in milliseconds. */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Source of the current time. Tests replace it. */
export interface Clock {
  /** Returns the time of day. */
  wall(): UnixMillis;
  /** Returns milliseconds since an arbitrary moment, for measuring ages and rates. Never decreases. */
  monotonic(): number;
}

export const systemClock: Clock = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
};

/** The most recent setting of an adjustable clock. */
export interface ClockSetting {
  /** Time that the clock showed when it was set. */
  readonly time: UnixMillis;
  /** Machine time when the clock was set. */
  readonly at: UnixMillis;
  /** Milliseconds that the clock advances per machine millisecond; 0 while it stands still. */
  readonly rate: number;
}

/** Earliest time of an adjustable clock. Its range is the years 1970 to 9999. */
export const FIRST_INSTANT: UnixMillis = 0;
export const LAST_INSTANT: UnixMillis = Date.UTC(10_000, 0, 1) - 1;

/** Maximum speed of an adjustable clock: one day per second. */
export const MAX_RATE = 86_400;

/**
 * Returns a clock's time with this setting when the machine shows `now`. The clock stops at both ends of its
 * range.
 */
export const timeOf = ({ time, at, rate }: ClockSetting, now: UnixMillis): UnixMillis =>
  Math.min(Math.max(Math.round(time + rate * (now - at)), FIRST_INSTANT), LAST_INSTANT);

/**
 * A clock with an adjustable time of day and speed. Until it is set, it shows the machine's time. Its monotonic time is
 * always the machine's.
 */
export class AdjustableClock implements Clock {
  readonly #machine: Clock;
  #setting: ClockSetting;
  #isSet: boolean;

  /** @param time time to start at. By default, the clock shows the machine's time. */
  constructor(machine: Clock, time?: UnixMillis) {
    this.#machine = machine;
    const at = machine.wall();
    this.#setting = { time: time ?? at, at, rate: 1 };
    this.#isSet = time !== undefined;
  }

  /** The most recent setting. */
  get setting(): ClockSetting {
    return this.#setting;
  }

  /** True if the clock was set, so that it no longer follows the machine. */
  get isSet(): boolean {
    return this.#isSet;
  }

  wall(): UnixMillis {
    return timeOf(this.#setting, this.#machine.wall());
  }

  monotonic(): number {
    return this.#machine.monotonic();
  }

  /** Sets the time of day, the speed, or both. */
  set({ time = this.wall(), rate = this.#setting.rate }: Partial<Pick<ClockSetting, "time" | "rate">>): void {
    this.#setting = { time, at: this.#machine.wall(), rate };
    this.#isSet = true;
  }
}
