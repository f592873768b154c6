import type { Clock } from "./clock.js";
import { type ClockSetting, timeOf } from "./clock-setting.js";

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
