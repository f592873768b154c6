import { DAY_MS, HOUR_MS } from "../../model/clock.js";

/** FCM behaviors to emulate in delivery data lists. Each can be switched off. In {@link NO_EMULATION}, all are off. */
export interface Emulation {
  /** Seed for random decisions. The same seed produces the same days, delays, samples and errors. */
  readonly seed: string;
  /** Time for which a day stays listed after the maximum delay, in milliseconds. Undefined for no limit. */
  readonly window: number | undefined;
  /** Range of the delay until a day is listed, in milliseconds. The delay is random for each app and day. */
  readonly delay: { readonly min: number; readonly max: number };
  /** Number of decimals in percentages. Undefined for unrounded percentages. */
  readonly rounding: number | undefined;
  /** Minimum number of accepted messages for an entry to have figures. */
  readonly minMessages: number;
  /**
   * Minimum number of messages for a figure. Smaller figures are omitted, and so are groups of percentages without
   * figures.
   */
  readonly minCount: number;
  /** Share of messages from which figures are computed, above 0 and up to 1. */
  readonly sampling: number;
  /** Share of an app's days that are never listed, from 0 to 1. */
  readonly missingDays: number;
  /** Share of calls that fail with a transient error, from 0 to 1. */
  readonly errors: number;
  /** Maximum number of calls per project and minute. Undefined for no limit. */
  readonly requestsPerMinute: number | undefined;
  /** Maximum lifetime of access tokens from the token endpoint, in milliseconds. Undefined for the normal lifetime. */
  readonly tokenLifetime: number | undefined;
  /** True to accept features that FCM does not have: `filter`, `asOf` and lists of all apps. */
  readonly extensions: boolean;
}

/** Settings that emulate nothing. */
export const NO_EMULATION: Emulation = {
  seed: "",
  window: undefined,
  delay: { min: 0, max: 0 },
  rounding: undefined,
  minMessages: 0,
  minCount: 0,
  sampling: 1,
  missingDays: 0,
  errors: 0,
  requestsPerMinute: undefined,
  tokenLifetime: undefined,
  extensions: true,
};

/** Settings of the preset `original`: FCM's publicly known behavior, and assumptions where it is unknown. */
export const ORIGINAL: Emulation = {
  seed: "original",
  window: 7 * DAY_MS,
  delay: { min: DAY_MS, max: 4 * DAY_MS },
  rounding: 0,
  minMessages: 100,
  minCount: 10,
  sampling: 0.5,
  missingDays: 0.02,
  errors: 0.01,
  requestsPerMinute: 600,
  tokenLifetime: HOUR_MS,
  extensions: false,
};
