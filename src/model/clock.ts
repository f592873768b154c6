/** A time in milliseconds since the Unix epoch, as `Date.now()` returns it. Durations are plain numbers. */
export type UnixMillis = number;

/** Source of time; tests replace it. */
export interface Clock {
  /** Time of day. */
  wall(): UnixMillis;
  /** Milliseconds since a fixed but unspecified moment, never decreasing, for ages and rates. */
  monotonic(): number;
}

/** The clocks of the machine. */
export const systemClock: Clock = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
};

/** A moment at which a clock was set, and its speed from then on. */
export interface ClockSetting {
  /** Time that the clock was set to. */
  readonly time: UnixMillis;
  /** System time at that moment. */
  readonly at: UnixMillis;
  /** Milliseconds of the clock in one of the machine; 0 if it stands still. */
  readonly rate: number;
}

/** First and last instant of an adjustable clock: the start of 1970 and the end of 9999. */
export const FIRST_INSTANT: UnixMillis = 0;
export const LAST_INSTANT: UnixMillis = Date.UTC(10_000, 0, 1) - 1;

/** The highest rate: a day in a second. */
export const MAX_RATE = 86_400;

/** Time of a clock with this setting, when the machine has the time `now`. At both ends it stands still. */
export const timeOf = ({ time, at, rate }: ClockSetting, now: UnixMillis): UnixMillis =>
  Math.min(Math.max(Math.round(time + rate * (now - at)), FIRST_INSTANT), LAST_INSTANT);

/**
 * A clock whose time of day can be set, and run at another speed. It has the time of the machine until it is
 * set. Its monotonic time is that of the machine at all times.
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

  /** How it was set last. */
  get setting(): ClockSetting {
    return this.#setting;
  }

  /** True if it was set, and is no longer that of the machine. */
  get isSet(): boolean {
    return this.#isSet;
  }

  wall(): UnixMillis {
    return timeOf(this.#setting, this.#machine.wall());
  }

  monotonic(): number {
    return this.#machine.monotonic();
  }

  /** Sets the time or the rate; what is missing stays as it is. */
  set({ time = this.wall(), rate = this.#setting.rate }: Partial<Pick<ClockSetting, "time" | "rate">>): void {
    this.#setting = { time, at: this.#machine.wall(), rate };
    this.#isSet = true;
  }
}
