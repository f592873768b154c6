/** Source of time; tests replace it. */
export interface Clock {
  /** Milliseconds since the Unix epoch, for comparison with the claims of tokens. */
  wall(): number;
  /** Milliseconds since a fixed but unspecified moment, never decreasing, for ages and rates. */
  monotonic(): number;
}

/** The clocks of the machine. */
export const systemClock: Clock = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
};

/** A moment at which a clock was set, and its speed from then on. Times are in milliseconds since the Unix epoch. */
export interface ClockSetting {
  /** Time that the clock was set to. */
  readonly time: number;
  /** Time of the machine at that moment. */
  readonly at: number;
  /** Milliseconds of the clock in one of the machine; 0 if it stands still. */
  readonly rate: number;
}

/** First and last instant of an adjustable clock: those of 1970 and of 9999, in milliseconds since the Unix epoch. */
export const FIRST_INSTANT = 0;
export const LAST_INSTANT = Date.UTC(10_000, 0, 1) - 1;

/** The highest rate: a day in a second. */
export const MAX_RATE = 86_400;

/** Time of a clock with this setting, when the machine has the time `now`. At both ends it stands still. */
export const timeOf = ({ time, at, rate }: ClockSetting, now: number): number =>
  Math.min(Math.max(Math.round(time + rate * (now - at)), FIRST_INSTANT), LAST_INSTANT);

/**
 * A clock whose time of day can be set, and run at another speed. It has the time of the machine until it is
 * set. Its monotonic time is that of the machine at all times.
 */
export class AdjustableClock implements Clock {
  readonly #machine: Clock;
  #setting: ClockSetting;
  #isSet: boolean;

  /** @param time at which it starts, in milliseconds since the Unix epoch; missing for that of the machine. */
  constructor(machine: Clock, time?: number) {
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

  wall(): number {
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
