import type { AttestationTokenCountJson } from "#src/gen/waybill/integrity/v1/integrity_pb.js";
import { type Day, dayOfJson } from "#src/model/day.js";
import { type DayRange, daysOf } from "../days/day-range.js";
import type { ChartDay } from "../figures/chart-day.js";
import type { Series } from "../figures/series.js";

/** Numbers of app tokens, by outcome. */
export interface Outcomes {
  readonly issued: number;
  readonly rejected: number;
  readonly reused: number;
}

/** Numbers of an app's tokens on one day, from one provider. */
export interface TokenCount extends Outcomes {
  /** In UTC. */
  readonly day: Day;
  readonly provider: string;
}

/** Reads counts from the service's JSON, which omits counts of zero. */
export const tokenCountOf = ({
  date = {},
  provider = "",
  issuedCount = "0",
  rejectedCount = "0",
  reusedCount = "0",
}: AttestationTokenCountJson): TokenCount => ({
  day: dayOfJson(date),
  provider,
  issued: Number(issuedCount),
  rejected: Number(rejectedCount),
  reused: Number(reusedCount),
});

const PROVIDERS: Readonly<Record<string, string>> = {
  app_attest: "App Attest",
  custom: "Custom tokens",
  debug: "Debug tokens",
};

export const providerTitle = (provider: string): string => PROVIDERS[provider] ?? provider;

/** A series for each outcome. */
export const TOKEN_SERIES: readonly Series<Outcomes>[] = [
  {
    key: "issued",
    title: "Issued",
    meaning: "App tokens for an attestation, an assertion, a debug token or a custom token.",
    look: { color: "--delivered", mark: "solid" },
    countOf: ({ issued }) => issued,
  },
  {
    key: "rejected",
    title: "Rejected",
    meaning: "Exchanges that failed at a step. The latest failures show the step.",
    look: { color: "--dropped-force-stopped", mark: "solid" },
    countOf: ({ rejected }) => rejected,
  },
  {
    key: "reused",
    title: "Reused",
    meaning: "Tokens that were sent again after they had been consumed (replay protection).",
    look: { color: "--dropped-inactive", mark: "hatched" },
    countOf: ({ reused }) => reused,
  },
];

const NONE: Outcomes = { issued: 0, rejected: 0, reused: 0 };

/** Adds up counts. */
export const sumOfOutcomes = (all: readonly Outcomes[]): Outcomes =>
  all.reduce(
    (sum, { issued, rejected, reused }) => ({
      issued: sum.issued + issued,
      rejected: sum.rejected + rejected,
      reused: sum.reused + reused,
    }),
    NONE,
  );

/** Returns a row for each day of a range. A day without tokens has zeros, because the server counts all tokens. */
export const tokenDaysOf = (counts: readonly TokenCount[], range: DayRange): readonly ChartDay<Outcomes>[] =>
  daysOf(range).map((day) => ({ day, counts: sumOfOutcomes(counts.filter((count) => count.day === day)) }));
