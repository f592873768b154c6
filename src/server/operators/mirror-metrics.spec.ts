import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { AndroidMirrorGap_Kind as Kind } from "../../gen/waybill/messagingdata/v1beta1/mirror_gap_pb.js";
import { gapFigures } from "../../mirror/gaps/mirror-gap.js";
import { dayOfCivil } from "../../model/day.js";
import { type MirrorFigures, MirrorMetrics } from "./mirror-metrics.js";

const DAY = dayOfCivil(2026, 11, 14);
const gap = (kind: Kind, day: number) => ({ appId: "a", kind, day, expireDay: day + 7, since: 0 });

/** A metric's samples, without its name. */
async function samplesOf(registry: Registry, name: string): Promise<string[]> {
  const text = await registry.getSingleMetricAsString(name);
  return text.split("\n").flatMap((line) => (line.startsWith(name) ? [line.slice(name.length)] : []));
}

it("MirrorMetrics shows gaps by kind, and when missing dates expire", async () => {
  const registry = new Registry();
  let figures: MirrorFigures = {
    project: "42",
    gaps: await gapFigures(
      [[gap(Kind.MISSING_DATE, DAY), gap(Kind.MISSING_DATE, DAY - 20)], [gap(Kind.MISSING_DATE, DAY)]],
      DAY + 5,
    ),
    age: 90,
    windowDays: 7,
  };
  new MirrorMetrics(registry, async () => [figures]);
  expect(await samplesOf(registry, "waybill_mirror_age_seconds")).toEqual(['{project="42"} 90']);
  expect(await samplesOf(registry, "waybill_mirror_gaps")).toEqual([
    '{project="42",kind="missing_date"} 3',
    '{project="42",kind="no_recent_data"} 0',
    '{project="42",kind="credentials_rejected"} 0',
    '{project="42",kind="original_unavailable"} 0',
    '{project="42",kind="schema_changed"} 0',
  ]);
  const forgotten = Date.parse("2026-11-22T00:00:00-08:00") / 1000;
  expect(await samplesOf(registry, "waybill_mirror_expiration_timestamp_seconds")).toEqual([
    `{project="42",date="2026-11-14"} ${forgotten}`,
  ]);
  figures = { ...figures, gaps: await gapFigures([], DAY + 5) };
  expect(await samplesOf(registry, "waybill_mirror_expiration_timestamp_seconds")).toEqual([]);
});

it("MirrorMetrics shows no more than the next 31 expiring dates of a project", async () => {
  const registry = new Registry();
  const missing = Array.from({ length: 50 }, (_, ago) => gap(Kind.MISSING_DATE, DAY - ago));
  const gaps = await gapFigures([missing], DAY - 60);
  new MirrorMetrics(registry, async () => [{ project: "42", gaps, age: 0, windowDays: 7 }]);
  expect(await samplesOf(registry, "waybill_mirror_expiration_timestamp_seconds")).toHaveLength(31);
});

it("MirrorMetrics reads the figures once for all metrics in a scrape", async () => {
  const registry = new Registry();
  let readings = 0;
  new MirrorMetrics(registry, async () => {
    readings++;
    return [];
  });
  await registry.metrics();
  expect(readings).toBe(1);
  await registry.metrics();
  expect(readings).toBe(2);
});
