import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { civilDate } from "../../src/model/day.js";
import { faultyTraffic } from "../support/data/faulty-traffic.js";
import { entriesOnceThey, importBatch } from "../support/data/import.js";
import { send } from "../support/http/exchange.js";
import { jsonCalls } from "../support/http/json-calls.js";
import { poll } from "../support/poll.js";
import { test as serving } from "../support/servers/fixtures.js";
import { PROJECT } from "../support/servers/project.js";
import { succeeding } from "../support/servers/succeeding-command.js";
import { TODAY } from "../support/today.js";

const BELOW = `projects/${PROJECT.id}/targets`;
const YESTERDAY = TODAY - 1;
const SHOP = { appId: "shop", deliveredPercent: 85 };

const test = serving.extend("call", ({ server, editor }) => jsonCalls(server.messagingDataUrl, editor));

describe("targets", () => {
  test("are met, missed, or have too few messages on the last complete day, also in the metrics", async ({
    server,
    editor,
    call,
  }) => {
    const of = { startDay: YESTERDAY - 2, days: 3 };
    const delivered = (label: string) => (label === "bad" ? 0.5 : 0.96);
    for (const lines of faultyTraffic({
      appId: "shop",
      delivered,
      ...of,
      labels: ["good", "bad"],
      messages: 200,
    }))
      await importBatch(server, editor, lines);
    for (const lines of faultyTraffic({ appId: "small", delivered, ...of, labels: ["bad"], messages: 10 }))
      await importBatch(server, editor, lines);
    await entriesOnceThey(server, editor, "shop", ({ length }) => length === 6);
    await entriesOnceThey(server, editor, "small", ({ length }) => length === 3);
    const targets = [
      SHOP,
      { ...SHOP, analyticsLabel: "good" },
      { ...SHOP, analyticsLabel: "bad" },
      { ...SHOP, analyticsLabel: "" },
      { ...SHOP, appId: "small" },
    ];
    for (const target of targets) expect((await call("POST", BELOW, target)).status).toBe(200);

    const { targets: listed } = JSON.parse((await call("GET", BELOW)).text);
    const found = new Map(
      listed.map((target: { appId: string; analyticsLabel?: string }) => [
        `${target.appId} ${target.analyticsLabel ?? "(whole app)"}`,
        target,
      ]),
    );
    const evaluatedDate = civilDate(YESTERDAY);
    expect(found.get("shop (whole app)")).toMatchObject({
      state: "MISSED",
      evaluatedDate,
      observedPercent: expect.closeTo(73, -1),
      acceptedMessageCount: "400",
    });
    expect(found.get("shop good")).toMatchObject({
      state: "MET",
      evaluatedDate,
      acceptedMessageCount: "200",
    });
    expect(found.get("shop bad")).toMatchObject({ state: "MISSED", evaluatedDate });
    expect(found.get("shop ")).toMatchObject({ state: "TOO_FEW_MESSAGES" });
    expect(found.get("small (whole app)")).toMatchObject({
      state: "TOO_FEW_MESSAGES",
      acceptedMessageCount: "10",
    });
    /** Polls until the metric has these series. */
    const missed = (...series: readonly string[]) =>
      poll(
        async () => {
          const { text } = await send(server.adminUrl, "/metrics");
          return text.split("\n").filter((line) => line.startsWith("waybill_missed_targets{"));
        },
        (found) => found.join("\n") === series.join("\n"),
      );
    const sample = (app: string, count: number) =>
      `waybill_missed_targets{project="${PROJECT.number}",app="${app}"} ${count}`;
    await missed(sample("shop", 2), sample("", 0));

    const { name, etag } = found.get("shop bad") as { name: string; etag: string };
    const lowered = await call("PATCH", `${name}?updateMask=deliveredPercent`, {
      deliveredPercent: 40,
      etag,
    });
    expect(lowered.status).toBe(200);
    expect(JSON.parse((await call("GET", name)).text)).toMatchObject({ state: "MET", deliveredPercent: 40 });
    await missed(sample("shop", 1), sample("", 0));
    for (const target of listed) expect((await call("DELETE", target.name)).status).toBe(200);
    await missed(sample("", 0));
  });

  test("exist at most once for an app or label", async ({ call }) => {
    const created = JSON.parse((await call("POST", BELOW, SHOP)).text);
    const again = await call("POST", BELOW, { ...SHOP, deliveredPercent: 90 });
    expect([again.status, errorOf(again.text).reason]).toEqual([409, "RESOURCE_ALREADY_EXISTS"]);
    const moved = await call("PATCH", `${created.name}?updateMask=appId`, { appId: "other" });
    expect([moved.status, errorOf(moved.text).reason]).toEqual([400, "IMMUTABLE_FIELD"]);
    await call("DELETE", created.name);
  });

  test.for<[body: object, field: string]>([
    [{ deliveredPercent: 85 }, "appId"],
    [{ ...SHOP, appId: "-" }, "appId"],
    [{ ...SHOP, appId: ".." }, "appId"],
    [{ ...SHOP, analyticsLabel: "a b" }, "analyticsLabel"],
    [{ ...SHOP, deliveredPercent: 0 }, "deliveredPercent"],
    [{ ...SHOP, deliveredPercent: 100.1 }, "deliveredPercent"],
    [{ ...SHOP, deliveredPercent: "NaN" }, "deliveredPercent"],
  ])("are rejected as %j", async ([body, field], { call }) => {
    const { status, text } = await call("POST", BELOW, body);
    expect([status, errorOf(text).reason]).toEqual([400, "INVALID_TARGET"]);
    expect(JSON.parse(text).error.details.at(-1).fieldViolations).toMatchObject([{ field }]);
  });

  test("can be read by viewers, and changed by editors", async ({ call, viewer }) => {
    expect((await call("GET", BELOW, undefined, viewer)).status).toBe(200);
    expect((await call("POST", BELOW, SHOP, viewer)).status).toBe(403);
  });
});

describe("waybill targets", () => {
  test("creates, lists and deletes a target", async ({ server, editor }) => {
    const run = succeeding("targets", server.messagingDataUrl, editor);
    const project = ["--project", PROJECT.id];
    const values = ["--app", "unknown", "--label", "promo", "--delivered", "85"];
    const name = /^Created (\S+)\.\n$/.exec(await run("create", ...project, ...values))?.[1] ?? "";
    const [head, row] = (await run("list", ...project)).split("\n");
    expect(head).toMatch(/^app +label +target % +observed % +messages +on +state +name$/);
    expect(row).toMatch(/^unknown +promo +85\.00 +0\.00 +0 +\d{4}-\d\d-\d\d +too few messages +projects\//);
    expect(await run("delete", name)).toBe(`Deleted ${name}.\n`);
    expect(await run("list", ...project, "--json")).toBe("");
  });
});
