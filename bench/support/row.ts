import type { Measurement } from "./measurement.js";

/** Amount of work in a run of the benchmark. */
export interface Scale {
  /** Pairs of alternating runs, Waybill's and the reference's; the median counts. */
  readonly runs: number;
  /**
   * Pairs of alternating runs of repeated reads. There are many short runs, because a shared machine can change its
   * speed every few seconds.
   */
  readonly readRuns: number;
  /** Duration of each run of repeated reads in seconds. */
  readonly seconds: number;
  /** Number of requests in each run of uncached reads. */
  readonly appsPerRun: number;
  /** Number of large pages in each run with `fields` or `prettyPrint`. */
  readonly shapedPages: number;
  /** Apps with a page each that is read uncached during an import: more pages than caches keep. */
  readonly uncachedApps: number;
  readonly importEvents: number;
  readonly rollupEvents: number;
  readonly clusterEvents: number;
  /** Events of a day that is large for an embedded store. */
  readonly largeDayEvents: number;
  /** Events of a day that is too large for a run of all rows. */
  readonly hugeDayEvents: number;
  /** Number of events in the smaller import of the memory comparison. */
  readonly memoryEvents: number;
  /** Messages of each day of a constant stream. */
  readonly retentionMessages: number;
  /** Apps of a server that starts with listed days: 10,000 entries and 30,000 message states each. */
  readonly storedApps: number;
  /** Duration of each attack in seconds. */
  readonly attackSeconds: number;
  /** Number of random histories of each kind in which incidents are detected. */
  readonly histories: number;
  /** Number of labels of the app for which detection is timed. */
  readonly incidentLabels: number;
  readonly mirroredApps: number;
  /** Registered projects, with ten apps and ten members each. */
  readonly projects: number;
  /** Exchanges of assertions, and of attestations, in each run. */
  readonly assertions: number;
  readonly attestations: number;
  readonly attestedKeys: number;
}

/** A program that `npm ci` does not install. */
export interface Program {
  readonly command: string;
  /** Files that are the program, besides the command on the `PATH`. */
  readonly places?: readonly string[];
  /** Instructions for its installation. */
  readonly install: string;
}

/** One or more lines of the table that share their setup. */
export interface Row {
  /** Name of the row on the command line. */
  readonly name: string;
  /** A program that the row needs, which may not be installed. */
  readonly needs?: Program;
  /** @param directory an empty directory, removed afterwards. */
  measure(scale: Scale, directory: string): Promise<readonly Measurement[]>;
}

/** Scale of the documented figures. */
export const FULL: Scale = {
  runs: 5,
  readRuns: 15,
  seconds: 2,
  appsPerRun: 100,
  shapedPages: 30,
  uncachedApps: 2_000,
  importEvents: 2_000_000,
  rollupEvents: 5_000_000,
  clusterEvents: 3_000_000,
  largeDayEvents: 30_000_000,
  hugeDayEvents: 100_000_000,
  memoryEvents: 5_000_000,
  retentionMessages: 600_000,
  storedApps: 1_000,
  attackSeconds: 15,
  histories: 600,
  incidentLabels: 2_000,
  mirroredApps: 200,
  projects: 10_000,
  assertions: 3_200,
  attestations: 800,
  attestedKeys: 1_000_000,
};

/** A small scale to check within a minute that the benchmark works. Its figures are not meaningful. */
export const QUICK: Scale = {
  runs: 1,
  readRuns: 1,
  seconds: 1,
  appsPerRun: 10,
  shapedPages: 6,
  uncachedApps: 50,
  importEvents: 200_000,
  rollupEvents: 200_000,
  clusterEvents: 200_000,
  largeDayEvents: 400_000,
  hugeDayEvents: 1_200_000,
  memoryEvents: 200_000,
  retentionMessages: 20_000,
  storedApps: 10,
  attackSeconds: 4,
  histories: 20,
  incidentLabels: 200,
  mirroredApps: 20,
  projects: 200,
  assertions: 640,
  attestations: 160,
  attestedKeys: 20_000,
};
