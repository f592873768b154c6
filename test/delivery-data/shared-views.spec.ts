import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished } from "vitest";
import { rejectionOf } from "../../src/api/testing/error-of.js";
import { formatDay } from "../../src/model/day.js";
import { faultyTraffic } from "../support/data/faulty-traffic.js";
import { entriesOnceThey, importBatch } from "../support/data/import.js";
import { auditEntries, REGISTRY_CONFIG } from "../support/data/registry.js";
import { type HttpResponse, send } from "../support/http/exchange.js";
import { jsonCalls } from "../support/http/json-calls.js";
import { test as serving } from "../support/servers/process-fixtures.js";
import { BASE_CONFIG, EDITOR, PROJECT } from "../support/servers/project.js";
import { startProcess } from "../support/servers/server-process.js";
import { shiftedClock } from "../support/servers/shifted-clock.js";
import { succeeding } from "../support/servers/succeeding-command.js";
import { TODAY } from "../support/today.js";

const BELOW = `projects/${PROJECT.id}/views`;
const DATA = "/console/embed/data";
const DAY_MS = 86_400_000;
const YESTERDAY = TODAY - 1;
const QUERY = "app=shop&label=promo&days=7";

const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

const test = serving
  .override("config", REGISTRY_CONFIG)
  .extend("call", ({ server, editor }) => jsonCalls(server.messagingDataUrl, editor))
  /** Saves a view until the test ends. */
  .extend("create", ({ call }, { onCleanup }) => {
    const names: string[] = [];
    onCleanup(async () => {
      for (const name of names) await call("DELETE", name);
    });
    return async (query = QUERY): Promise<string> => {
      const { text } = await call("POST", BELOW, { displayName: "Promo", query });
      const { name } = JSON.parse(text);
      names.push(name);
      return name;
    };
  })
  .extend("share", ({ call }) => async (name: string, expireTime = inDays(1)): Promise<string> => {
    const { status, text } = await call("POST", `${name}:share`, { expireTime });
    expect([status, text]).toEqual([200, expect.any(String)]);
    return JSON.parse(text).token;
  })
  .extend(
    "open",
    ({ server }) =>
      (token: string | undefined, query = "", method = "GET") =>
        send(server.messagingDataUrl, DATA + query, { token, method }),
  );

describe("a shared view", () => {
  test("shows exactly the messages and incidents of its app, labels and dates, without sign-in", async ({
    server,
    editor,
    call,
    create,
    share,
    open,
  }) => {
    const days = 40;
    const labels = ["promo", "news"];
    const falls = YESTERDAY - 4;
    const delivered = (label: string, day: number) => (label === "promo" && day >= falls ? 0.3 : 0.9);
    for (const appId of ["shop", "other"]) {
      const traffic = { appId, delivered, startDay: YESTERDAY - days + 1, days, labels, messages: 200 };
      for (const lines of faultyTraffic(traffic)) await importBatch(server, editor, lines);
    }
    await entriesOnceThey(server, editor, "shop", ({ length }) => length === days * labels.length);
    const { status, headers, text } = await open(await share(await create()));
    expect(status).toBe(200);
    expect(headers).toMatchObject({ "cache-control": "no-store", "referrer-policy": "no-referrer" });
    const { deliveryData, incidents, ...view } = JSON.parse(text);
    expect(view).toEqual({
      displayName: "Promo",
      appId: "shop",
      labels: ["promo"],
      firstDate: formatDay(YESTERDAY - 6),
      lastDate: formatDay(YESTERDAY),
      linkExpireTime: expect.any(String),
    });
    const filter = `date >= "${view.firstDate}" AND date <= "${view.lastDate}" AND analyticsLabel = "promo"`;
    const query = `filter=${encodeURIComponent(filter)}&groupBy=DATE`;
    const path = `projects/${PROJECT.id}/androidApps/shop`;
    const sums = await call("GET", `${path}/deliveryData:aggregate?${query}`);
    expect(deliveryData).toEqual(JSON.parse(sums.text));
    expect(deliveryData.groups).toHaveLength(7);
    expect(incidents).toMatchObject([{ appId: "shop", analyticsLabel: "promo", outcome: "DELIVERED" }]);
    for (const field of ["name", "incidentId", "state", "etag"])
      expect(incidents[0]).not.toHaveProperty(field);

    const whole = JSON.parse((await open(await share(await create("app=shop&days=28")))).text);
    expect(whole.labels).toBeUndefined();
    expect(whole.deliveryData.groups).toHaveLength(28);
    expect(JSON.stringify(whole.incidents)).not.toContain("other");
  });

  test("ignores parameters of the request", async ({ create, share, open }) => {
    const token = await share(await create());
    const wider = "?app=other&label=news&days=90&from=2020-01-01&filter=date:*&project=other-project";
    expect(JSON.parse((await open(token, wider)).text)).toMatchObject({ appId: "shop", labels: ["promo"] });
  });

  test.for<[title: string, change: (token: string) => string | undefined, reason: string]>([
    ["no link", () => undefined, "CREDENTIALS_MISSING"],
    ["another token", () => "abc", "LINK_INVALID"],
    [
      "an altered token",
      (token) => token.replace(/^./, (first) => (first === "W" ? "X" : "W")),
      "LINK_INVALID",
    ],
    [
      "an altered signature",
      (token) => token.replace(/.$/, (last) => (last === "A" ? "E" : "A")),
      "LINK_INVALID",
    ],
    ["a token without signature", (token) => token.replace(/\..*/, ""), "LINK_INVALID"],
  ])("is not shown to %s", async ([_, change, reason], { create, share, open }) => {
    const token = await share(await create());
    const response = await open(change(token));
    expect(rejectionOf(response)).toEqual([401, reason]);
    expect(response.headers["www-authenticate"]).toBe(
      reason === "CREDENTIALS_MISSING"
        ? 'Bearer realm="waybill"'
        : 'Bearer realm="waybill", error="invalid_token", error_description="The link is not valid"',
    );
  });

  test("is not shown to a request with two Authorization headers", async ({ server, create, share }) => {
    const headers = { authorization: Array<string>(2).fill(`Bearer ${await share(await create())}`) };
    const response = await send(server.messagingDataUrl, DATA, { headers });
    expect(rejectionOf(response)).toEqual([401, "ACCESS_TOKEN_INVALID"]);
  });

  test("is not shown to access tokens, and its link is no access token", async ({
    server,
    editor,
    create,
    share,
    open,
  }) => {
    const token = await share(await create());
    expect(rejectionOf(await open(editor))).toEqual([401, "LINK_INVALID"]);
    for (const path of [BELOW, `projects/${PROJECT.id}/androidApps/shop/deliveryData`, "projects"]) {
      const { status } = await send(server.messagingDataUrl, `/v1beta1/${path}`, { token });
      expect(status).toBe(401);
    }
    expect((await open(token, "", "POST")).status).toBe(405);
  });

  test("ends with a new link, another query, unsharing and deletion, and not with another name", async ({
    call,
    create,
    share,
    open,
  }) => {
    const name = await create();
    const first = await share(name);
    const second = await share(name);
    expect(rejectionOf(await open(first))).toEqual([401, "LINK_INVALID"]);
    await call("PATCH", `${name}?updateMask=displayName`, { displayName: "Renamed" });
    expect(JSON.parse((await open(second)).text).displayName).toBe("Renamed");
    await call("PATCH", `${name}?updateMask=query`, { query: "app=other" });
    expect(rejectionOf(await open(second))).toEqual([401, "LINK_INVALID"]);
    expect(JSON.parse((await call("GET", name)).text).linkExpireTime).toBeUndefined();

    const third = await share(name);
    const ended = await call("POST", `${name}:unshare`, {});
    expect(JSON.parse(ended.text).linkExpireTime).toBeUndefined();
    expect(rejectionOf(await open(third))).toEqual([401, "LINK_INVALID"]);
    const fourth = await share(name);
    await call("DELETE", name);
    expect(rejectionOf(await open(fourth))).toEqual([401, "LINK_INVALID"]);
  });

  test("ends when its link expires", async ({ config, directory }) => {
    const clock = join(directory, "clock");
    const server = await startProcess(directory, config, [], shiftedClock(clock));
    onTestFinished(async () => {
      await server.stop();
    });
    const call = jsonCalls(server.messagingDataUrl, await server.token(EDITOR));
    const { name } = JSON.parse((await call("POST", BELOW, { displayName: "Promo", query: QUERY })).text);
    const shared = await call("POST", `${name}:share`, { expireTime: inDays(1) });
    const { token } = JSON.parse(shared.text);
    const open = () => send(server.messagingDataUrl, DATA, { token });
    expect((await open()).status).toBe(200);
    await writeFile(clock, String(2 * DAY_MS));
    const response = await open();
    expect(rejectionOf(response)).toEqual([401, "LINK_EXPIRED"]);
    expect(response.headers["www-authenticate"]).toBe(
      'Bearer realm="waybill", error="invalid_token", error_description="The link has expired"',
    );
  });

  test.for<[title: string, expiration: object]>([
    ["no expiry", {}],
    ["a past expiry", { expireTime: inDays(-1) }],
    ["an expiry after more than 90 days", { expireTime: inDays(91) }],
    ["a lifetime of 0", { ttl: "0s" }],
    ["a negative lifetime", { ttl: "-1s" }],
    ["a lifetime of more than 90 days", { ttl: `${90 * 86_400 + 1}s` }],
  ])("is not created with %s", async ([_, expiration], { call, create }) => {
    const response = await call("POST", `${await create()}:share`, expiration);
    expect(rejectionOf(response)).toEqual([400, "INVALID_EXPIRE_TIME"]);
  });

  test("needs an app, and an editor", async ({ call, create, viewer }) => {
    const body = { expireTime: inDays(1) };
    expect(rejectionOf(await call("POST", `${await create("tab=project")}:share`, body))).toEqual([
      400,
      "VIEW_WITHOUT_APP",
    ]);
    const name = await create();
    expect((await call("POST", `${name}:share`, body, viewer)).status).toBe(403);
    expect((await call("POST", `${name}:unshare`, {}, viewer)).status).toBe(403);
  });

  test("is audited, and the secret is in neither the audit log nor the server's log", async ({
    server,
    create,
    share,
    open,
  }) => {
    const name = await create();
    const token = await share(name);
    await open(token);
    const [entry] = await auditEntries(server, `principal=${EDITOR}&pageSize=1`);
    expect(entry).toMatchObject({ method: "ShareView", resource: name });
    expect(entry.changes.map(({ field }: { field: string }) => field)).toEqual(["linkExpireTime"]);
    expect(JSON.stringify(entry)).not.toContain(token.slice(0, 20));
    expect(server.log()).not.toContain(token.slice(0, 20));
  });

  test("has a rate limit for each network", async ({ startServer }) => {
    const server = await startServer(BASE_CONFIG);
    let last: HttpResponse | undefined;
    for (let request = 0; request < 1_000 && last?.status !== 429; request += 1)
      last = await send(server.messagingDataUrl, DATA, { token: "x" });
    expect(last?.headers["retry-after"]).toMatch(/^\d+$/);
  });
});

test("waybill views saves, shares and lists views", async ({ server, editor, open }) => {
  const run = succeeding("views", server.messagingDataUrl, editor);
  const project = ["--project", PROJECT.id];
  const created = await run("create", ...project, "--name", "Promo", "--query", QUERY);
  const name = /^Created (\S+)\.\n$/.exec(created)?.[1] ?? "";
  const link = new URL((await run("share", name)).trim());
  expect(link.href).toMatch(`${server.messagingDataUrl}/console/embed#`);
  expect((await open(link.hash.slice(1))).status).toBe(200);
  expect(await run("list", ...project)).toMatch(/Promo +\d{4}-/);
  expect(await run("unshare", name)).toBe(`Ended the link of ${name}.\n`);
  expect((await open(link.hash.slice(1))).status).toBe(401);
  await run("delete", name);
});
