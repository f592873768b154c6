import { readFileSync } from "node:fs";
import { describe, expect } from "vitest";
import { accepted, listOf } from "../support/data/delivery-data.js";
import { entriesOnceThey, importInto, ndjson, postEvents } from "../support/data/import.js";
import { type HttpResponse, send } from "../support/http/exchange.js";
import { poll } from "../support/poll.js";
import { test as serving } from "../support/servers/process-fixtures.js";
import { EDITOR, IOS_APP, PROJECT } from "../support/servers/project.js";

const APP = "operated";
const LIST = listOf(APP);
const CONFIG = `/v1/projects/${PROJECT.id}/apps/${IOS_APP}/appAttestConfig`;

const test = serving
  /** A scrape's samples by name and labels, each checked against the Prometheus text format. */
  .extend("scrape", ({ server }) => async (): Promise<Map<string, number>> => {
    const { status, headers, text } = await send(server.adminUrl, "/metrics");
    expect([status, headers["content-type"]]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
    expect(text.endsWith("\n")).toBe(true);
    const types = new Map<string, string>();
    const samples = new Map<string, number>();
    for (const line of text.split("\n").filter((content) => content !== "")) {
      const comment = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.+)$/.exec(line);
      if (comment?.[1] === "TYPE") types.set(comment[2] ?? "", comment[3] ?? "");
      if (comment !== null) continue;
      const sample = /^(([a-zA-Z_:][\w:]*)(?:\{(?:\w+="(?:[^"\\\n]|\\.)*",?)*\})?) (\S+)$/.exec(line);
      expect(sample, line).not.toBeNull();
      const [, name = "", metric = "", value = ""] = sample ?? [];
      const family = types.has(metric) ? metric : metric.replace(/_(bucket|sum|count)$/, "");
      expect(types.get(family), line).toMatch(/^(counter|gauge|histogram|summary)$/);
      expect(samples.has(name), line).toBe(false);
      samples.set(name, Number(value));
    }
    return samples;
  })
  .extend(
    "imported",
    ({ server, editor }) =>
      async (events: readonly object[], entries: number): Promise<void> => {
        expect((await postEvents(server, editor, ndjson(events))).status).toBe(200);
        await entriesOnceThey(server, editor, APP, ({ length }) => length === entries);
      },
  )

  /** The log line of a request, once it is written. */
  .extend("lineOf", ({ server }) => async (response: HttpResponse): Promise<Record<string, unknown>> => {
    const id = response.headers["x-request-id"];
    expect(id).toMatch(/\S/);
    const lines = (): Record<string, unknown>[] =>
      server
        .log()
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter((line) => line.requestId === id && line.msg === "request");
    const [line, ...others] = await poll(
      () => lines(),
      ({ length }) => length > 0,
    );
    expect(others).toEqual([]);
    return line ?? {};
  });

describe("/metrics", () => {
  const requests = (service: string, operation: string, status: number): string =>
    `waybill_request_duration_seconds_count{service="${service}",operation="${operation}",status="${status}"}`;

  test("contains a histogram for each operation and status", async ({ server, editor, scrape }) => {
    await send(server.integrityUrl, CONFIG, { token: editor });
    await send(server.integrityUrl, CONFIG);
    await send(server.messagingDataUrl, LIST, { token: editor });
    await send(server.messagingDataUrl, "/nowhere", { token: editor });
    const samples = await scrape();
    for (const name of [
      requests("integrity", "GetAppAttestConfig", 200),
      requests("integrity", "GetAppAttestConfig", 401),
      requests("messaging-data", "ListAndroidDeliveryData", 200),
      requests("messaging-data", "none", 404),
    ]) {
      expect(samples.get(name), name).toBeGreaterThan(0);
      const bucket = name.replace("_count{", "_bucket{");
      const buckets = [...samples].filter(([sample]) => /le="/.test(sample) && sameLabels(sample, bucket));
      const counts = buckets.map(([, value]) => value);
      expect(counts).toEqual(counts.toSorted((a, b) => a - b));
      expect([buckets.at(-1)?.[0], counts.at(-1)]).toEqual([
        expect.stringContaining('le="+Inf"'),
        samples.get(name),
      ]);
    }
  });

  test("counts events, measures rollups, and shows the lag, store errors and process figures", async ({
    scrape,
    imported,
  }) => {
    const before = await scrape();
    const stored = 'waybill_imported_events_total{result="stored"}';
    const optedOut = 'waybill_imported_events_total{result="opted_out"}';
    const event = accepted(APP, "2025-06-02T12:00:00-07:00");
    await imported([event, { ...event, usageReportingOptIn: false }, event], 1);
    const after = await poll(
      scrape,
      (samples) => (samples.get("waybill_rollup_duration_seconds_count") ?? 0) > 0,
    );
    const grown = (name: string): number => (after.get(name) ?? 0) - (before.get(name) ?? 0);
    expect([grown(stored), grown(optedOut)]).toEqual([2, 1]);
    expect(grown("waybill_rollup_duration_seconds_count")).toBeGreaterThan(0);
    expect(after.get("waybill_rollup_lag_seconds")).toBeGreaterThanOrEqual(0);
    expect([...after.keys()].filter((name) => name.startsWith("waybill_store_errors_total{"))).toEqual([]);
    expect(after.get("process_resident_memory_bytes")).toBeGreaterThan(1e6);
    expect(after.get("process_cpu_seconds_total")).toBeGreaterThan(0);
  });
});

/** Returns true if a bucket belongs to the histogram with a name and labels. */
function sameLabels(sample: string, name: string): boolean {
  return sample.replace(/le="[^"]*",/, "") === name;
}

test.for([
  ["/healthz", { status: "ok" }],
  ["/readyz", { status: "ready" }],
] as const)("%s is available on the admin listener", async ([target, expected], { server }) => {
  const { status, text } = await send(server.adminUrl, target);
  expect([status, JSON.parse(text)]).toEqual([200, expected]);
});

describe("the log", () => {
  test("has one JSON line for each request", async ({ server, editor, lineOf }) => {
    const { pathname } = new URL(LIST, server.messagingDataUrl);
    const response = await send(server.messagingDataUrl, `${LIST}?pageSize=1`, { token: editor });
    expect(await lineOf(response)).toMatchObject({
      level: "info",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      service: "messaging-data",
      operation: "ListAndroidDeliveryData",
      method: "GET",
      path: pathname,
      status: 200,
      durationMs: expect.any(Number),
      principal: EDITOR,
    });
  });

  test("has only documented fields", async ({ server, editor, lineOf }) => {
    const page = readFileSync(new URL("../../docs/operate/monitoring.md", import.meta.url), "utf8");
    const [, logs = ""] = /^## Logs$([\s\S]*)/m.exec(page) ?? [];
    const described = new Set([...logs.matchAll(/`(\w+)`/g)].map(([, name]) => name));
    const lines = [
      await lineOf(await send(server.messagingDataUrl, LIST, { token: editor })),
      await lineOf(await send(server.integrityUrl, CONFIG)),
    ];
    expect(lines.flatMap(Object.keys).filter((field) => !described.has(field))).toEqual([]);
  });

  test("has the reason for a rejection, and no unverified principal", async ({ server, lineOf }) => {
    const line = await lineOf(await send(server.integrityUrl, CONFIG));
    expect(line).toMatchObject({ status: 401, reason: "CREDENTIALS_MISSING", service: "integrity" });
    expect(line).not.toHaveProperty("principal");
  });

  test("has no token, wherever the caller has put it", async ({ server, editor, lineOf }) => {
    const [secret = ""] = editor.split(".").slice(-1);
    const targets = [
      `${LIST}?access_token=${editor}`,
      `${LIST}?oauth_token=${editor}`,
      `${LIST}?key=${editor}`,
    ];
    const authorizations = [editor, `Bearer  ${editor}x`, `Basic ${editor}`, `Bearer ${editor},${editor}`];
    const responses = [
      ...(await Promise.all(
        targets.map((target) => send(server.messagingDataUrl, target, { token: editor })),
      )),
      ...(await Promise.all(
        authorizations.map((authorization) =>
          send(server.messagingDataUrl, LIST, { headers: { authorization } }),
        ),
      )),
      await send(server.messagingDataUrl, importInto(), {
        method: "POST",
        token: editor,
        body: `{"${editor}":1}`,
      }),
    ];
    for (const response of responses) await lineOf(response);
    expect(server.log()).not.toContain(secret);
  });
});
