import { rm } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { limitFileSize } from "../../../test/support/servers/limit-file-size.js";
import { testDirectory } from "../../../test/support/test-directory.js";
import { LAST_DAY } from "../../model/day.js";
import { StoreBrokenError, StoreUnavailableError } from "../../model/store-error.js";
import { blocksOf, settle } from "../testing/test-events.js";
import { DuckDbStore } from "./duckdb-store.js";

const PROJECT = "123456789012";
const BLOCK = 5_000;

describe.skipIf(process.platform !== "linux")("reopening a DuckDbStore", () => {
  let directory: string;
  let store: DuckDbStore;
  let failures: unknown[];
  beforeEach(async () => {
    directory = await testDirectory();
    failures = [];
    store = await DuckDbStore.open({
      directory,
      memoryLimit: "256MB",
      checkpointThreshold: "1MB",
      onFailure: (error) => failures.push(error),
    });
  });
  afterEach(async () => {
    limitFileSize(process.pid, "unlimited");
    await store.close();
  });

  let messages = 0;
  const someEvents = () =>
    blocksOf(
      Array.from({ length: BLOCK }, () => ({
        appId: "app",
        messageId: `m${messages++}`,
        eventTime: "2025-06-02T19:00:00Z",
        eventType: "ACCEPTED",
        usageReportingOptIn: true,
      })),
    );

  /** Appends until the engine fails permanently. Returns the number of acknowledged events. */
  async function appendUntilBroken(): Promise<number> {
    for (let stored = 0; ; ) {
      try {
        await store.append(PROJECT, someEvents());
        stored += BLOCK;
      } catch (error) {
        expect(error).toBeInstanceOf(StoreUnavailableError);
        if (error instanceof StoreBrokenError) return stored;
      }
    }
  }

  /** Waits until the database is open again. */
  async function reopened(): Promise<void> {
    while (
      await store.check().then(
        () => false,
        () => true,
      )
    )
      await new Promise(setImmediate);
  }

  async function listedMessages(): Promise<number> {
    await settle(store);
    const query = { project: PROJECT, appId: "app", until: LAST_DAY, limit: 10 };
    return (await store.readEntries(query)).reduce((sum, { counts }) => sum + (counts[0]?.[0] ?? 0), 0);
  }

  it("reopens the database after the disk was full, with all acknowledged events", async () => {
    const version = () => store.version(PROJECT, LAST_DAY);
    const versions = [await version()];
    limitFileSize(process.pid, 3_000_000);
    const stored = await appendUntilBroken();
    await expect(store.check()).rejects.toBeInstanceOf(StoreUnavailableError);
    versions.push(await version());
    limitFileSize(process.pid, "unlimited");
    await reopened();
    versions.push(await version());
    expect(failures[0]).toBeInstanceOf(StoreBrokenError);

    // The failed block may be stored, but only as a whole.
    expect([stored, stored + BLOCK]).toContain(await listedMessages());
    versions.push(await version());
    // Cached responses stay valid until the database is open again.
    expect(versions[1]).toBe(versions[0]);
    expect(new Set(versions).size).toBe(3);
    const before = await listedMessages();
    await store.append(PROJECT, someEvents());
    expect(await listedMessages()).toBe(before + BLOCK);
  });

  it("reopens the database after the engine ran out of memory, with all acknowledged events", async () => {
    await store.close();
    await rm(directory, { recursive: true });
    const onFailure = (error: unknown) => void failures.push(error);
    const options = { directory, memoryLimit: "8MB", checkpointThreshold: "1GB", onFailure };
    store = await DuckDbStore.open(options);
    const stored = await appendUntilBroken();
    expect(failures[0]).toBeInstanceOf(StoreBrokenError);
    options.memoryLimit = "256MB";
    await reopened();
    expect([stored, stored + BLOCK]).toContain(await listedMessages());
  });

  it("serves reads while the disk is still full, and closes while it is reopening", async () => {
    limitFileSize(process.pid, 3_000_000);
    const stored = await appendUntilBroken();
    await reopened();
    expect(await store.isEmpty()).toBe(false);
    await appendUntilBroken();
    await store.close();
    limitFileSize(process.pid, "unlimited");
    store = await DuckDbStore.open({ directory, memoryLimit: "256MB" });
    expect(await listedMessages()).toBeGreaterThanOrEqual(stored);
  });
});
