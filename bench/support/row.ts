import type { Measurement } from "./measurement.js";

/** How much a run of the benchmark measures. */
export interface Scale {
  /** Pairs of runs, Waybill's and the reference's in turn, of which the median counts. */
  readonly runs: number;
  /** How long requests are sent in each run of the repeated reads, in seconds. */
  readonly seconds: number;
  /** Requests of each run in which every request asks for another app. */
  readonly appsPerRun: number;
  readonly importEvents: number;
  readonly rollupEvents: number;
  /** Events of the smaller of the two imports whose memory is compared. */
  readonly memoryEvents: number;
  /** How long each attack goes on, in seconds. */
  readonly attackSeconds: number;
}

/** One or more lines of the table that share their preparations. */
export interface Row {
  /** By which the row is asked for on the command line. */
  readonly name: string;
  /** @param directory empty, and removed afterwards. */
  measure(scale: Scale, directory: string): Promise<readonly Measurement[]>;
}

/** The sizes that the documentation's figures are of. */
export const FULL: Scale = {
  runs: 5,
  seconds: 4,
  appsPerRun: 100,
  importEvents: 2_000_000,
  rollupEvents: 5_000_000,
  memoryEvents: 5_000_000,
  attackSeconds: 15,
};

/** Sizes that show in a minute whether the benchmark works; their figures say little. */
export const QUICK: Scale = {
  runs: 1,
  seconds: 1,
  appsPerRun: 10,
  importEvents: 200_000,
  rollupEvents: 200_000,
  memoryEvents: 200_000,
  attackSeconds: 4,
};
