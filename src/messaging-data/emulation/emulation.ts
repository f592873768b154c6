/** Behavior of FCM that delivery data lists emulate. Each property can be off; in {@link NO_EMULATION}, all are. */
export interface Emulation {
  /** Seed: the same seed produces the same days, delays, samples and errors. */
  readonly seed: string;
  /** Time for which a day is listed after the maximum delay, in milliseconds; `undefined` for no limit. */
  readonly window: number | undefined;
  /** Range of the delay before a day is listed, in milliseconds. The delay is drawn for each app and day. */
  readonly delay: { readonly min: number; readonly max: number };
  /** Decimals of percentages; `undefined` for all. */
  readonly rounding: number | undefined;
  /** Minimum number of accepted messages of an entry with figures. */
  readonly minMessages: number;
  /** Minimum number of messages of a figure. Smaller figures are omitted, as are groups of percentages that become empty. */
  readonly minCount: number;
  /** Sampled share of messages, above 0 and up to 1. */
  readonly sampling: number;
  /** Share of an app's days that are never listed: 0 to 1. */
  readonly missingDays: number;
  /** Share of calls that fail with a transient error: 0 to 1. */
  readonly errors: number;
  /** Maximum number of calls per project and minute; `undefined` for no limit. */
  readonly requestsPerMinute: number | undefined;
  /** Maximum lifetime of exchanged tokens, in milliseconds; `undefined` for the usual one. */
  readonly tokenLifetime: number | undefined;
  /** True to accept `filter`, `asOf` and lists of all apps, which FCM does not have. */
  readonly extensions: boolean;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Emulates nothing. */
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

/** The preset `original`: publicly known behavior of FCM, and assumptions for the rest. */
export const ORIGINAL: Emulation = {
  seed: "original",
  window: 7 * DAY,
  delay: { min: DAY, max: 4 * DAY },
  rounding: 0,
  minMessages: 100,
  minCount: 10,
  sampling: 0.5,
  missingDays: 0.02,
  errors: 0.01,
  requestsPerMinute: 600,
  tokenLifetime: HOUR,
  extensions: false,
};
