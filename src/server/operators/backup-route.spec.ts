import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withResolver } from "@waybill/client/support";
import { pino } from "pino";
import { Registry } from "prom-client";
import { afterEach, beforeEach, expect, it, test } from "vitest";
import { testDirectory } from "../../../test/support/test-directory.js";
import { systemClock } from "../../model/clock.js";
import { StoreUnavailableError } from "../../model/store-error.js";
import type { Store } from "../../store/store.js";
import type { Listener } from "../listen/listener.js";
import { adminListener } from "./admin-listener.js";
import { type BackupParts, backupRoute } from "./backup-route.js";
import { ADMIN_ACCESS, ADMIN_HEADERS } from "./testing/admin-access.js";

let dataDir: string;
let listener: Listener;
let url: string;
let snapshot: NonNullable<Store["snapshot"]>;
let sent: number;
let backup: BackupParts;
beforeEach(async () => {
  dataDir = await testDirectory();
  snapshot = (folder) => writeFile(join(folder, "store"), "data");
  sent = 0;
  backup = {
    dataDir,
    store: { snapshot: (...call: Parameters<NonNullable<Store["snapshot"]>>) => snapshot(...call) },
    snapshotRecords: (path) => writeFile(path, "records"),
    version: "1.2.3",
    clock: systemClock,
    logger: pino({ enabled: false }),
    onSent: () => sent++,
  };
  listener = adminListener({
    access: ADMIN_ACCESS,
    metrics: new Registry(),
    ready: async () => {},
    routes: [backupRoute(backup)],
  });
  url = `${await listener.listen("127.0.0.1", 0)}/backup`;
});
afterEach(() => listener.close());

const post = (init: RequestInit = {}): Promise<Response> =>
  fetch(url, { method: "POST", headers: ADMIN_HEADERS, ...init });

/** A snapshot that waits until its signal aborts or `release` is called, even if that happens before it begins. */
function heldSnapshot(): { release: () => void; aborted: Promise<void> } {
  const { promise: released, resolve: release } = withResolver();
  const { promise: aborted, resolve: noteAborted } = withResolver();
  snapshot = (_, signal) =>
    new Promise((resolve, reject) => {
      void released.then(resolve);
      const abort = (): void => {
        noteAborted();
        reject(signal?.reason);
      };
      if (signal?.aborted) abort();
      else signal?.addEventListener("abort", abort);
    });
  return { release, aborted };
}

it("the backup route sends snapshot files and control data, and then the manifest", async () => {
  const text = await (await post()).text();
  const frames = [
    '{"totalBytes":11}\n',
    '{"file":"records.db","bytes":7}\nrecords',
    '{"file":"store","bytes":4}\ndata',
    '{"complete":',
  ];
  expect(text.startsWith(frames.join(""))).toBe(true);
  expect(text).toContain('"version":"1.2.3"');
  expect(sent).toBe(1);
  expect(await readdir(dataDir)).toEqual([]);
});

it("the backup route reports why a backup failed, and removes its files", async () => {
  snapshot = async () => {
    throw new StoreUnavailableError("copying the database failed", { cause: new Error("no room\nat all") });
  };
  expect(await (await post()).text()).toBe('{"error":"copying the database failed: no room"}\n');
  expect(sent).toBe(0);
  expect(await readdir(dataDir)).toEqual([]);
});

it("the backup route sends only one backup at a time", async () => {
  const held = heldSnapshot();
  const first = await post();
  const second = await post();
  expect(second.status).toBe(409);
  expect(await second.json()).toMatchObject({ error: { details: [{ reason: "BACKUP_RUNNING" }] } });
  held.release();
  expect(await first.text()).toContain('"complete"');
  snapshot = async () => {};
  expect((await post()).status).toBe(200);
});

it("the backup route cancels a snapshot when its client disconnects", async () => {
  const held = heldSnapshot();
  const controller = new AbortController();
  await post({ signal: controller.signal });
  controller.abort();
  await held.aborted;
});

it("the backup route ends a backup when the server stops, and removes its files", async () => {
  const held = heldSnapshot();
  const cut = await post();
  await listener.close();
  await held.aborted;
  await expect(cut.text()).rejects.toThrow("terminated");
  await expect.poll(() => readdir(dataDir)).toEqual([]);
  expect(sent).toBe(0);
});

test("the backup route sends a backup only in response to a POST", async () => {
  const response = await post({ method: "GET" });
  expect(response.status).toBe(405);
  expect(await response.json()).toMatchObject({
    error: { details: [{ reason: "METHOD_NOT_ALLOWED", domain: "admin.waybill" }] },
  });
});
