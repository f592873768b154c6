/** Where time comes from, so that what depends on it can be tried at any moment. */
export interface Clock {
  /** Milliseconds since the Unix epoch, to compare with the claims of tokens. */
  wall(): number;
  /** Milliseconds since some fixed moment, never going back, for ages and rates. */
  monotonic(): number;
}

/** The time of the machine. */
export const systemClock: Clock = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
};
