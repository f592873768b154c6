/** The habits of the original that lists of delivery data emulate. Each is off on its own; {@link NO_EMULATION} has none. */
export interface Emulation {
  /** Names the draws: the same seed gives the same days, delays, samples and failures. */
  readonly seed: string;
  /** Time for which a day is listed, after the longest delay, in milliseconds; `undefined` for ever. */
  readonly window: number | undefined;
  /** The shortest and the longest time by which a day is listed late, in milliseconds; drawn for each app and day. */
  readonly delay: { readonly min: number; readonly max: number };
  /** Decimals of percentages; `undefined` for all. */
  readonly rounding: number | undefined;
  /** Entries with fewer accepted messages have no figures. */
  readonly minMessages: number;
  /** Figures of fewer messages are left out, and groups of percentages without a figure. */
  readonly minCount: number;
  /** The share of messages that figures are drawn from, above 0 and up to 1. */
  readonly sampling: number;
  /** The share of days, of each app, that are never listed: 0 to 1. */
  readonly missingDays: number;
  /** The share of calls that fail for a moment: 0 to 1. */
  readonly errors: number;
  /** Calls of a project in a minute; `undefined` for any number. */
  readonly requestsPerMinute: number | undefined;
  /** Longest lifetime of tokens of the token exchange, in milliseconds; `undefined` for the usual one. */
  readonly tokenLifetime: number | undefined;
  /** True if calls may use filters, `asOf` and all apps at once, which the original does not have. */
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

/** The preset `original`: what is publicly known, and guesses elsewhere. docs/guides/emulate-fcm.md says which is which. */
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
