import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { countsByLabel, entriesOf, entriesOnceThey, ndjson, postEvents } from "../support/data/import.js";
import type { HttpResponse } from "../support/http/exchange.js";
import { need } from "../support/needs.js";
import { poll } from "../support/poll.js";
import { limitFileSize } from "../support/servers/limit-file-size.js";
import { it } from "../support/servers/process-fixtures.js";
import { EDITOR } from "../support/servers/project.js";
import type { ServerProcess } from "../support/servers/server-process.js";

need("Linux");

const APP = "full";
const SIZE = 2000;

describe("when the disk is full, the server", () => {
  let server: ServerProcess;
  let token: string;
  it.beforeEach(async ({ startServer }) => {
    server = await startServer();
    token = await server.token(EDITOR);
  });

  function importLabelled(analyticsLabel: string): Promise<HttpResponse> {
    const events = Array.from({ length: SIZE }, (_, index) => ({
      appId: APP,
      messageId: `${analyticsLabel}/${index}`,
      eventTime: "2025-06-02T12:00:00-07:00",
      eventType: "ACCEPTED",
      analyticsLabel,
      usageReportingOptIn: true,
    }));
    return postEvents(server, token, ndjson(events));
  }

  /** Imports until one fails. Returns its response and the earlier imports' labels. */
  async function fillUp(): Promise<{ labels: string[]; rejected: HttpResponse }> {
    const labels: string[] = [];
    for (;;) {
      const label = `label-${labels.length}`;
      const response = await importLabelled(label);
      if (response.status !== 200) return { labels, rejected: response };
      labels.push(label);
    }
  }

  /** Labels that are listed completely, and incomplete ones as `label: count`. */
  async function listedWhenThereIs(label: string): Promise<string[]> {
    const counts = countsByLabel(
      await entriesOnceThey(server, token, APP, (entries) => countsByLabel(entries).has(label)),
    );
    return [...counts].map(([name, count]) => (count === SIZE ? name : `${name}: ${count}`));
  }

  it("rejects imports, serves reads, and recovers automatically once there is room", async () => {
    await importLabelled("first");
    expect(await listedWhenThereIs("first")).toEqual(["first"]);
    const log = join(server.dataDir, "waybill.duckdb.wal");
    limitFileSize(server.process.pid, statSync(log).size + 500_000);
    const { labels, rejected } = await fillUp();
    expect(rejected.status).toBe(503);
    expect(rejected.headers["retry-after"]).toMatch(/^\d+$/);
    expect(errorOf(rejected.text)).toMatchObject({ status: "UNAVAILABLE", reason: "STORE_UNAVAILABLE" });
    expect((await entriesOf(server, token, APP)).length).toBeGreaterThan(0);
    expect(
      (await fetch(`${server.adminUrl}/metrics`).then((response) => response.text())).split("\n"),
    ).toContain('waybill_store_errors_total{caller="ImportMessageEvents"} 1');

    limitFileSize(server.process.pid, "unlimited");
    await poll(async () => (await importLabelled("last")).status, 200);
    expect((await listedWhenThereIs("last")).sort()).toEqual(["first", "last", ...labels].sort());
  });

  it("stops, and restarts with every acknowledged import", async ({ startServer }) => {
    limitFileSize(server.process.pid, 1_000_000);
    const { labels } = await fillUp();
    expect(labels.length).toBeGreaterThan(0);
    expect(await server.stop()).toBe(0);
    server = await startServer();
    await importLabelled("last");
    expect((await listedWhenThereIs("last")).sort()).toEqual(["last", ...labels].sort());
  });
});
