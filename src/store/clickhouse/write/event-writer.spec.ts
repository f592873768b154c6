import { withResolver } from "@waybill/client/support";
import { expect, it, onTestFinished, vi } from "vitest";
import { ProcessDayLedger } from "../../../control/testing/process-day-ledger.js";
import { WaitTimeoutError } from "../../../limits/limit-wait.js";
import { MAX_WAIT_MS } from "../../../limits/request-limits.js";
import { systemClock } from "../../../model/clock.js";
import { blocksOf } from "../../testing/test-events.js";
import type { Connection } from "../connection.js";
import { EventWriter } from "./event-writer.js";
import { ProjectNames } from "./project-names.js";
import { Retries } from "./retries.js";

const EVENTS = blocksOf([
  { appId: "app", messageId: "m", eventTime: "2026-03-05T12:00:00Z", eventType: "DELIVERED" },
]);

it("rejects an append that does not begin in time, and stores none of its events", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const inserted: Buffer[] = [];
  const insert: Connection["insert"] = async (_, rows) => void inserted.push(Buffer.from(rows));
  const { promise: slot, resolve: startSlot } = withResolver();
  const ledger = new ProcessDayLedger(systemClock);
  const writer = new EventWriter({
    connection: { insert } as Connection,
    ledger,
    names: new ProjectNames(ledger, { maxApps: 1, maxLabels: 1 }),
    retries: new Retries(systemClock, 0),
    slots: { use: (work) => slot.then(work) },
    place: { database: "waybill" },
    settings: { inserts: {}, queries: {} },
  });
  const { signal } = new AbortController();
  const rejected = expect(writer.append("1", EVENTS, signal)).rejects.toThrow(WaitTimeoutError);
  vi.advanceTimersByTime(MAX_WAIT_MS);
  await rejected;
  startSlot();
  await writer.idle();
  expect(inserted).toEqual([]);
  expect(await writer.append("1", EVENTS, signal)).toBe(0);
  expect(inserted).toHaveLength(1);
});
