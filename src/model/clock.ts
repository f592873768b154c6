/** A time in milliseconds since the Unix epoch, as `Date.now()` returns it. Durations are plain numbers. */
export type UnixMillis = number;

/** Source of time. Tests replace it. */
export interface Clock {
  /** Time of day. */
  wall(): UnixMillis;
  /** Milliseconds since an arbitrary fixed moment, for ages and rates. It never decreases. */
  monotonic(): number;
}

/** The machine's clocks. */
export const systemClock: Clock = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
};

/** The last setting of a clock. */
export interface ClockSetting {
  /** Time to which the clock was set. */
  readonly time: UnixMillis;
  /** Machine time when the clock was set. */
  readonly at: UnixMillis;
  /** Milliseconds of the clock per machine millisecond; 0 if the clock stands still. */
  readonly rate: number;
}

/** Range of an adjustable clock: the years 1970 to 9999. */
export const FIRST_INSTANT: UnixMillis = 0;
export const LAST_INSTANT: UnixMillis = Date.UTC(10_000, 0, 1) - 1;

/** Maximum rate: a day per second. */
export const MAX_RATE = 86_400;

/** Returns a clock's time with this setting at machine time `now`. The clock stands still at both ends of its range. */
export const timeOf = ({ time, at, rate }: ClockSetting, now: UnixMillis): UnixMillis =>
  Math.min(Math.max(Math.round(time + rate * (now - at)), FIRST_INSTANT), LAST_INSTANT);

/**
 * A clock with adjustable time of day and speed. It shows the machine time until it is set. Its monotonic time is
 * always the machine's.
 */
export class AdjustableClock implements Clock {
  readonly #machine: Clock;
  #setting: ClockSetting;
  #isSet: boolean;

  /** @param time start time; by default, the system time. */
  constructor(machine: Clock, time?: UnixMillis) {
    this.#machine = machine;
    const at = machine.wall();
    this.#setting = { time: time ?? at, at, rate: 1 };
    this.#isSet = time !== undefined;
  }

  /** The last setting. */
  get setting(): ClockSetting {
    return this.#setting;
  }

  /** True if it was set and no longer follows the machine. */
  get isSet(): boolean {
    return this.#isSet;
  }

  wall(): UnixMillis {
    return timeOf(this.#setting, this.#machine.wall());
  }

  monotonic(): number {
    return this.#machine.monotonic();
  }

  /** Sets the time, the rate, or both. */
  set({ time = this.wall(), rate = this.#setting.rate }: Partial<Pick<ClockSetting, "time" | "rate">>): void {
    this.#setting = { time, at: this.#machine.wall(), rate };
    this.#isSet = true;
  }
}
