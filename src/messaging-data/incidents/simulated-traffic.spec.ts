import { expect, test } from "vitest";
import { sumOf } from "../../../bench/incidents/random-traffic.js";
import { dayOfCivil, formatDay } from "../../model/day.js";
import { simulateTraffic } from "../../simulator/simulate-traffic.js";
import { type DailyCounts, OUTCOMES } from "./daily-counts.js";
import { findIncidents } from "./find-incidents.js";

test("finds the faults planted in simulated traffic, and no others", () => {
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
  const rows = new Map<string, { readonly day: number; readonly counts: readonly number[] }[]>();
  for (const { analyticsLabel, date, data } of simulation.truth()) {
    const day = dayOfCivil(date?.year ?? 0, date?.month ?? 0, date?.day ?? 0);
    const accepted = Number(data?.countMessagesAccepted);
    const counts = OUTCOMES.map(
      (outcome) => ((data?.messageOutcomePercents?.[outcome] ?? 0) * accepted) / 100,
    );
    rows.set(analyticsLabel, [{ day, counts: [accepted, ...counts] }, ...(rows.get(analyticsLabel) ?? [])]);
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
  const finder = findIncidents(app, labels, app.days.at(-1) ?? 0);
  let step = finder.next();
  while (!step.done) step = finder.next();
  const told = step.value.map(({ label, outcome, startDay, endDay }) => [
    label,
    outcome,
    formatDay(startDay),
    endDay === undefined ? "goes on" : formatDay(endDay),
  ]);
  expect(told).toEqual([
    ["chat", "delivered", "2026-11-11", "goes on"],
    ["promo", "delivered", "2026-11-03", "2026-11-03"],
    [undefined, "delivered", "2026-10-27", "2026-10-27"],
  ]);
});
