import { expect, it, onTestFinished, vi } from "vitest";
import { ProcessDayLedger } from "../../../control/testing/process-day-ledger.js";
import { WaitTimeoutError } from "../../../limits/limit-wait.js";
import { MAX_WAIT_MS } from "../../../limits/limits.js";
import { systemClock } from "../../../model/clock.js";
import { blocksOf } from "../../testing/test-events.js";
import type { Connection } from "../connection.js";
import { EventWriter } from "./event-writer.js";
import { ProjectNames } from "./project-names.js";
import { Retries } from "./retries.js";

const EVENTS = blocksOf([
  { appId: "app", messageId: "m", eventTime: "2026-03-05T12:00:00Z", eventType: "DELIVERED" },
]);

it("rejects an append of a call that does not begin in time, and stores nothing of it", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const inserted: Buffer[][] = [];
  const insert: Connection["insert"] = async (_, rows) => void inserted.push([...rows]);
  let startTurn = (): void => {};
  const turn = new Promise<void>((resolve) => {
    startTurn = resolve;
  });
  const ledger = new ProcessDayLedger(systemClock);
  const writer = new EventWriter({
    connection: { insert } as Connection,
    ledger,
    names: new ProjectNames(ledger, { maxApps: 1, maxLabels: 1 }),
    retries: new Retries(systemClock, 0),
    turns: { take: (work) => turn.then(work) },
    place: { database: "waybill" },
    settings: { inserts: {}, queries: {} },
  });
  const { signal } = new AbortController();
  const refused = expect(writer.append("1", EVENTS, signal)).rejects.toThrow(WaitTimeoutError);
  vi.advanceTimersByTime(MAX_WAIT_MS);
  await refused;
  startTurn();
  await writer.idle();
  expect(inserted).toEqual([]);
  expect(await writer.append("1", EVENTS, signal)).toBe(0);
  expect(inserted).toHaveLength(1);
});
