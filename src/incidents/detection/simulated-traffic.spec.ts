import { expect, test } from "vitest";
import { sumOf } from "../../../bench/incidents/random-traffic.js";
import { dayOfCivil, formatDay } from "../../model/day.js";
import { simulateTraffic } from "../../simulator/simulate-traffic.js";
import { type DailyCounts, OUTCOMES } from "./daily-counts.js";
import { detectIncidents } from "./detect-incidents.js";

/** Counts of an entry: its accepted messages, then its outcomes. */
type Counts = readonly number[];

/**
 * Emulates an entry of a mirror: percentages have one decimal, a third of the smaller entries lack their figures, and
 * percentages below a half are absent.
 */
function mirrored([accepted = 0, ...outcomes]: Counts, index: number): Counts {
  if (accepted < 80 && index % 3 === 0) return [];
  const percents = outcomes.map((count) => Math.round((1_000 * count) / accepted) / 10);
  const kept = percents.map((percent) => (percent < 0.5 ? 0 : percent));
  return [accepted, ...kept.map((percent) => Math.round((percent * accepted) / 100))];
}

test.each<[string, (counts: Counts, index: number) => Counts]>([
  ["simulated traffic", (counts) => counts],
  ["a mirror of simulated traffic, rounded and suppressed in part", mirrored],
])("detectIncidents detects exactly the simulated outages in %s", (_, given) => {
  const simulation = simulateTraffic({
    apps: ["app"],
    startDay: "2026-09-05",
    days: 75,
    messages: 60_000,
    labels: 8,
    seed: 1,
    faults: [
      { label: "promo", from: "2026-11-03", to: "2026-11-03", delivered: 0 },
      { label: "chat", from: "2026-11-11", delivered: 0.4 },
      { from: "2026-10-27", to: "2026-10-27", delivered: 0.6 },
    ],
  });
  for (const _ of simulation);
  const rows = new Map<string, { readonly day: number; readonly counts: Counts }[]>();
  let index = 0;
  for (const { analyticsLabel, date, data } of simulation.truth()) {
    const day = dayOfCivil(date?.year ?? 0, date?.month ?? 0, date?.day ?? 0);
    const accepted = Number(data?.countMessagesAccepted);
    const counts = OUTCOMES.map(
      (outcome) => ((data?.messageOutcomePercents?.[outcome] ?? 0) * accepted) / 100,
    );
    const row = { day, counts: given([accepted, ...counts], index++) };
    if (row.counts.length > 0) rows.set(analyticsLabel, [row, ...(rows.get(analyticsLabel) ?? [])]);
  }
  const labels = new Map<string, DailyCounts>(
    [...rows].map(([label, days]) => [
      label,
      {
        days: Int32Array.from(days, ({ day }) => day),
        accepted: Float64Array.from(days, ({ counts }) => counts[0] ?? 0),
        outcomes: OUTCOMES.map((_, outcome) =>
          Float64Array.from(days, ({ counts }) => counts[outcome + 1] ?? 0),
        ),
      },
    ]),
  );
  const app = sumOf([...labels.values()]);
  const finder = detectIncidents(app, labels, app.days.at(-1) ?? 0);
  let step = finder.next();
  while (!step.done) step = finder.next();
  const found = step.value.map(({ label, outcome, startDay, endDay }) => [
    label,
    outcome,
    formatDay(startDay),
    endDay === undefined ? "ongoing" : formatDay(endDay),
  ]);
  expect(found).toEqual([
    ["chat", "delivered", "2026-11-11", "ongoing"],
    ["promo", "delivered", "2026-11-03", "2026-11-03"],
    [undefined, "delivered", "2026-10-27", "2026-10-27"],
  ]);
});
