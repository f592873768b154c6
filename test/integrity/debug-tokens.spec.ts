import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { errorOf, rejectionOf } from "../../src/api/testing/error-of.js";
import { RECORD_KINDS } from "../../src/control/records.js";
import { type Sent, send } from "../support/http/exchange.js";
import { withRecords } from "../support/servers/access-token.js";
import { it as base } from "../support/servers/fixtures.js";
import { EDITOR, IOS_APP, PROJECT } from "../support/servers/project.js";

const APP = `projects/${PROJECT.number}/apps/${IOS_APP}`;
const OTHER_APP = `projects/${PROJECT.number}/apps/app-7d`;

const it = base.extend(
  "call",
  ({ server, editor }) =>
    (method: string, path: string, body?: object, token = editor) => {
      const sent: Sent = { method, token, headers: { "content-type": "application/json" } };
      return send(
        server.integrityUrl,
        `/v1/${path}`,
        body === undefined ? { method, token } : { ...sent, body: JSON.stringify(body) },
      );
    },
);

describe("debug tokens", () => {
  it("can be created, read, listed, renamed and deleted, and never show their secret", async ({
    call,
    server,
  }) => {
    const token = randomUUID();
    const created = await call("POST", `${APP}/debugTokens`, { displayName: "CI", token });
    expect(created.status).toBe(200);
    const { name, displayName, updateTime, ...others } = JSON.parse(created.text);
    expect(name).toMatch(new RegExp(`^${APP}/debugTokens/[0-9a-f-]{36}$`));
    expect([displayName, others]).toEqual(["CI", {}]);
    expect(Date.parse(updateTime)).toBeGreaterThan(0);
    expect(JSON.parse((await call("GET", name)).text)).toEqual({ name, displayName, updateTime });

    const renamed = await call("PATCH", `${name}?updateMask=display_name`, { displayName: "Build 7" });
    expect(JSON.parse(renamed.text)).toMatchObject({ name, displayName: "Build 7" });
    const listed = await call("GET", `${APP}/debugTokens`);
    expect(JSON.parse(listed.text)).toEqual({ debugTokens: [JSON.parse(renamed.text)] });

    expect(await call("DELETE", name)).toMatchObject({ status: 200, text: "{}" });
    expect((await call("GET", name)).status).toBe(404);
    expect((await call("DELETE", name)).status).toBe(404);

    const history = await withRecords(server.dataDir, (records) =>
      records.history({ kinds: [RECORD_KINDS.debugTokens], limit: 10 }),
    );
    expect(history.map(({ note }) => note)).toMatchObject(
      ["CreateDebugToken", "UpdateDebugToken", "DeleteDebugToken"].map((method) => ({
        principal: EDITOR,
        issuer: "urn:waybill:local",
        method,
      })),
    );
    expect(JSON.stringify(history)).not.toContain(token);
  });

  it("are limited to 20 per app, and listed in pages", async ({ call }) => {
    for (let index = 0; index < 20; index++) {
      const body = { displayName: `${index}`, token: randomUUID() };
      expect((await call("POST", `${OTHER_APP}/debugTokens`, body)).status).toBe(200);
    }
    const body = { displayName: "one more", token: randomUUID() };
    const { status, text } = await call("POST", `${OTHER_APP}/debugTokens`, body);
    expect([status, errorOf(text).reason]).toEqual([400, "DEBUG_TOKEN_NOT_CREATED"]);
    const names: string[] = [];
    for (let pageToken = "", pages = 0; pages === 0 || pageToken !== ""; pages++) {
      const query = `pageSize=8&pageToken=${encodeURIComponent(pageToken)}`;
      const page = JSON.parse((await call("GET", `${OTHER_APP}/debugTokens?${query}`)).text);
      names.push(...page.debugTokens.map(({ name }: { name: string }) => name));
      pageToken = page.nextPageToken ?? "";
    }
    expect(names).toHaveLength(20);
    expect(names).toEqual([...new Set(names)].sort());
  });

  it.for<[body: object, reason: string]>([
    [{ displayName: "CI" }, "INVALID_DEBUG_TOKEN"],
    [{ displayName: "CI", token: "11111111-1111-1111-8111-111111111111" }, "INVALID_DEBUG_TOKEN"],
    [{ token: "11111111-1111-4111-8111-111111111111" }, "INVALID_DISPLAY_NAME"],
    [{ displayName: "x".repeat(101), token: "11111111-1111-4111-8111-111111111111" }, "INVALID_DISPLAY_NAME"],
  ])("are rejected as %j", async ([body, reason], { call }) => {
    expect(rejectionOf(await call("POST", `${APP}/debugTokens`, body))).toEqual([400, reason]);
  });

  it("can only be changed for a registered app, with the role editor", async ({ call, viewer }) => {
    expect((await call("GET", `projects/${PROJECT.id}/apps/x/debugTokens`)).status).toBe(404);
    expect((await call("GET", `${APP}/debugTokens`, undefined, viewer)).status).toBe(403);
  });

  it("that do not match are listed as failures, without their secret", async ({ call, server, viewer }) => {
    const secret = randomUUID();
    const sent: Sent = { method: "POST", headers: { "content-type": "application/json" } };
    const body = JSON.stringify({ debugToken: secret });
    const rejected = await send(server.integrityUrl, `/v1/${OTHER_APP}:exchangeDebugToken`, {
      ...sent,
      body,
    });
    expect([rejected.status, errorOf(rejected.text).reason]).toEqual([403, "APP_ATTESTATION_FAILED"]);
    const { text } = await call("GET", `${OTHER_APP}/attestationFailures?pageSize=1`, undefined, viewer);
    expect(JSON.parse(text).attestationFailures).toMatchObject([
      {
        name: expect.stringContaining(`${OTHER_APP}/attestationFailures/`),
        provider: "debug",
        step: "debug_token",
      },
    ]);
    expect(text).not.toContain(secret);
  });
});
