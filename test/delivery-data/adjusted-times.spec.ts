import { expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import { send } from "../support/http/exchange.js";
import { jsonCalls } from "../support/http/json-calls.js";
import { test as serving } from "../support/servers/fixtures.js";
import { BASE_CONFIG, PROJECT } from "../support/servers/project.js";
import { setClock } from "../support/servers/set-clock.js";

/** The server's time, long before the machine's. */
const START = "2026-05-05T12:00:00Z";
const LATER = "2026-05-06T12:00:00Z";
const QUERY = "app=shop&days=7";

const test = serving
  .override("config", { ...BASE_CONFIG, clock: { adjustable: true } })
  .override("args", ["--clock", START])
  /** Sends calls to the server. Its clock stands still. */
  .extend("call", async ({ server, editor }) => {
    await setClock(server, { time: START, rate: 0 });
    return jsonCalls(server.messagingDataUrl, editor);
  });

test("targets, annotations and saved views have times of the adjustable clock", async ({ server, call }) => {
  const annotation = { date: { year: 2026, month: 5, day: 4 }, kind: "RELEASE", text: "Release 4.2" };
  for (const [collection, body, change] of [
    ["annotations", annotation, { text: "Release 4.3" }],
    ["targets", { appId: "shop", deliveredPercent: 85 }, { deliveredPercent: 90 }],
    ["views", { displayName: "Promo", query: QUERY }, { displayName: "Promo, 7 days" }],
  ] as const) {
    await setClock(server, { time: START });
    const created = await call("POST", `projects/${PROJECT.id}/${collection}`, body);
    const { name, createTime } = JSON.parse(created.text);
    expect([collection, createTime]).toEqual([collection, START]);
    await setClock(server, { time: LATER });
    const changed = await call("PATCH", `${name}?updateMask=${Object.keys(change)}`, change);
    expect(JSON.parse(changed.text)).toMatchObject({ createTime: START, updateTime: LATER });
  }
});

test("a link to a view expires by the adjustable clock", async ({ server, editor, call }) => {
  const view = { displayName: "Shared", query: QUERY };
  const { name } = JSON.parse((await call("POST", `projects/${PROJECT.id}/views`, view)).text);
  const open = async (token: string) => {
    const { status, text } = await send(server.messagingDataUrl, "/console/embed/data", { token });
    return status === 200 ? "shown" : errorOf(text).reason;
  };

  const past = await call("POST", `${name}:share`, { expireTime: "2026-05-05T11:00:00Z" });
  expect(errorOf(past.text).reason).toBe("INVALID_EXPIRE_TIME");
  for (const expiration of [{ ttl: "86400s" }, { expireTime: LATER }]) {
    await setClock(server, { time: START });
    const shared = JSON.parse((await call("POST", `${name}:share`, expiration)).text);
    expect(shared.view.linkExpireTime).toBe(LATER);
    expect(await open(shared.token)).toBe("shown");
    await setClock(server, { time: LATER });
    expect(await open(shared.token)).toBe("LINK_EXPIRED");
  }

  await setClock(server, { time: START });
  const flags = ["--server", server.messagingDataUrl, "--token", editor];
  const { stdout, stderr } = await runInProcess(["views", "share", name, "--days", "1", ...flags]);
  expect(stderr).toBe("");
  expect(JSON.parse((await call("GET", name)).text).linkExpireTime).toBe(LATER);
  expect(await open(new URL(stdout.trim()).hash.slice(1))).toBe("shown");
});
