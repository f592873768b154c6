import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { blocksOf } from "../testing/test-events.js";
import { Database } from "./database.js";
import { EventWriter } from "./event-writer.js";

it("writes what is handed over in the very turn in which the last write ends", async () => {
  const directory = await mkdtemp(join(tmpdir(), "waybill-store-"));
  const database = await Database.open({ directory, memoryLimit: "256MB" });
  const writer = await EventWriter.open(await database.connect());
  const events = blocksOf([
    { appId: "app", messageId: "m", eventTime: "2026-03-05T12:00:00Z", eventType: "DELIVERED" },
  ]);
  await writer.append("1", events);
  await writer.append("1", events);
  const stored = await (await database.connect()).runAndReadAll("SELECT count(*) FROM events");
  expect(stored.getRows()).toEqual([[2n]]);
  database.close();
  await rm(directory, { recursive: true });
});
