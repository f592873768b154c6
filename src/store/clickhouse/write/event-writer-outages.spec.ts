import { afterEach, expect, it } from "vitest";
import { ProcessLeases } from "../../../control/embedded/process-leases.js";
import type { LeaseStore } from "../../../control/lease-store.js";
import { ProcessDayLedger } from "../../../control/testing/process-day-ledger.js";
import { type LoopbackServer, loopbackServer } from "../../../http/testing/loopback-server.js";
import { systemClock } from "../../../model/clock.js";
import { StoreUnavailableError } from "../../../model/store-error.js";
import { blocksOf, PROJECT } from "../../testing/test-events.js";
import { Connection } from "../connection.js";
import { EventWriter } from "./event-writer.js";
import { InsertSlots } from "./insert-slots.js";
import { ProjectNames } from "./project-names.js";
import { Retries } from "./retries.js";

const EVENTS = blocksOf([
  { appId: "app", messageId: "m", eventTime: "2026-03-05T12:00:00Z", eventType: "DELIVERED" },
]);
/** Shorter than the general response timeout. */
const TEST_MS = 25_000;

let server: LoopbackServer;
let connection: Connection;
afterEach(async () => {
  await connection.close();
  await server.close();
});

/** Creates a writer for a server that never responds. */
async function writerTo(leases: LeaseStore): Promise<EventWriter> {
  server = await loopbackServer(() => {});
  connection = new Connection({ urls: [server.origin] });
  const ledger = new ProcessDayLedger(systemClock);
  return new EventWriter({
    connection,
    ledger,
    names: new ProjectNames(ledger, { maxApps: 1, maxLabels: 1 }),
    retries: new Retries(systemClock, 200),
    slots: new InsertSlots(leases, "waybill"),
    place: { database: "waybill" },
    settings: { inserts: { insert_quorum: 2, insert_quorum_timeout: 10_000 }, queries: {} },
  });
}

it("ends an insert without a response after its timeout", { timeout: TEST_MS }, async () => {
  const writer = await writerTo(new ProcessLeases(systemClock));
  await expect(writer.append(PROJECT, EVENTS)).rejects.toThrow(StoreUnavailableError);
});

it("rejects queued appends if the leases are unavailable, and stores nothing", async () => {
  const away = () => Promise.reject(new StoreUnavailableError("away"));
  const writer = await writerTo({ acquire: away, release: away });
  const appends = [writer.append(PROJECT, EVENTS), writer.append(PROJECT, EVENTS)];
  for (const append of await Promise.allSettled(appends)) {
    expect(append).toMatchObject({ status: "rejected", reason: expect.any(StoreUnavailableError) });
  }
});
