import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { LastDayFigures } from "../../messaging-data/jobs/last-day.js";
import type { StoreFigures } from "../../store/store.js";
import { watchLastDay, watchStore } from "./store-metrics.js";

const FIGURES: StoreFigures = {
  bytes: { data: 100, free: 20, log: 3 },
  messages: 7,
  waitingEvents: 5,
  waitingDays: 2,
  waitingSince: 1_500,
  sealedDays: 1,
};

async function samplesOf(
  figures: () => Promise<StoreFigures>,
  hasImportQuorum: () => Promise<boolean> = async () => true,
): Promise<string[]> {
  const registry = new Registry();
  watchStore(registry, { figures, hasImportQuorum });
  await registry.metrics();
  return (await registry.metrics()).split("\n").filter((line) => /^waybill/.test(line));
}

it("watchStore exports all figures of a store with a single read", async () => {
  let readings = 0;
  const samples = await samplesOf(async () => {
    readings++;
    return FIGURES;
  });
  expect(samples).toEqual([
    "waybill_store_import_quorum 1",
    'waybill_store_bytes{kind="data"} 100',
    'waybill_store_bytes{kind="free"} 20',
    'waybill_store_bytes{kind="log"} 3',
    "waybill_store_messages 7",
    "waybill_store_waiting_events 5",
    "waybill_store_waiting_days 2",
    "waybill_store_waiting_since_timestamp_seconds 1.5",
    "waybill_store_sealed_days 1",
  ]);
  expect(readings).toBe(1);
});

it("watchStore omits the figures if the store cannot be reached", async () => {
  const away = () => Promise.reject(new Error("away"));
  expect(await samplesOf(away, away)).toEqual(["waybill_store_import_quorum 0"]);
});

it("watchStore shows that imports have no quorum while the store can still be read", async () => {
  const samples = await samplesOf(
    async () => FIGURES,
    async () => false,
  );
  expect(samples).toContain("waybill_store_import_quorum 0");
});

it("watchLastDay omits removed projects", async () => {
  const registered = new Set(["1", "2"]);
  const [registry, figures] = [new Registry(), new LastDayFigures()];
  watchLastDay(registry, figures, (project) => registered.has(project));
  for (const project of registered)
    figures.set(project, 20_000, [{ project, app: "a", accepted: 1, delivered: 1 }]);
  const projects = async () => {
    const labels = (await registry.metrics()).matchAll(/project="(\d)"/g);
    return [...labels].map(([, project]) => project);
  };
  expect(await projects()).toEqual(["1", "2", "1", "2", "1", "2"]);
  registered.delete("1");
  expect(await projects()).toEqual(["2", "2", "2"]);
});
