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
