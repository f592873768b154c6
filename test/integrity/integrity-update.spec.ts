import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { configOf, nameOf, patch, readConfig } from "../support/data/integrity.js";
import { CHANGES_CONFIG, readHistory } from "../support/data/integrity-changes.js";
import { envelope } from "../support/http/calls.js";
import { type Sent, send } from "../support/http/exchange.js";
import { exchangeHttp2 } from "../support/http/http2.js";
import { it, test } from "../support/servers/fixtures.js";
import { EDITOR, IOS_APP, NO_ROLE, VIEWER } from "../support/servers/project.js";

test.override("config", CHANGES_CONFIG);

describe("UpdateAppAttestConfig", () => {
  it("returns the whole configuration, and the change is visible immediately", async ({ server, editor }) => {
    const { status, headers, text } = await patch(server, editor, "changed", { tokenTtl: "7200s" });
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    const changed = JSON.parse(text);
    expect(changed).toEqual({
      name: nameOf("changed"),
      tokenTtl: "7200s",
      etag: expect.stringMatching(/^"[\w-]+"$/),
    });
    expect(await readConfig(server, editor, "changed")).toEqual(changed);
  });

  it("adds a single history entry even if the mask repeats a field", async ({ server, editor }) => {
    const body = JSON.stringify({
      appAttestConfig: { name: nameOf("masked"), tokenTtl: "7201s" },
      updateMask: "tokenTtl,".repeat(200_000).slice(0, -1),
    });
    const target = "/waybill.integrity.v1.IntegrityService/UpdateAppAttestConfig";
    const headers = { "content-type": "application/json" };
    const sent = { method: "POST", token: editor, headers, body };
    expect((await send(server.integrityUrl, target, sent)).status).toBe(200);
    const last = (await readHistory(server.dataDir)).at(-1);
    expect(last).toMatchObject({ updateMask: "tokenTtl", tokenTtl: "7201s" });
  });

  test.for<[query: string, body: object, tokenTtl: string]>([
    ["updateMask=tokenTtl", { tokenTtl: "1800s" }, "1800s"],
    ["updateMask=token_ttl", { tokenTtl: "604800s" }, "604800s"],
    ["update_mask=token_ttl", { token_ttl: "1800.500s" }, "1800.500s"],
    ["updateMask=%2A", { tokenTtl: "5000.25s" }, "5000.250s"],
    ["updateMask=*", {}, "3600s"],
    ["updateMask=tokenTtl,token_ttl", { tokenTtl: "4000s" }, "4000s"],
    ["updateMask=tokenTtl", {}, "3600s"],
    ["updateMask=tokenTtl", { tokenTtl: "4000s" }, "4000s"],
    ["updateMask=tokenTtl", { tokenTtl: null }, "3600s"],
    ["updateMask=tokenTtl&alt=json&prettyPrint=true", { tokenTtl: "4000.000000001s" }, "4000.000000001s"],
    ["updateMask=tokenTtl", { name: "projects/x/apps/y/appAttestConfig", tokenTtl: "4001s" }, "4001s"],
  ])("with %s and the body %j sets the TTL to %s", async ([query, body, tokenTtl], { server, editor }) => {
    const { status, text } = await patch(server, editor, "masked", body, { query });
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ name: nameOf("masked"), tokenTtl });
    expect(await readConfig(server, editor, "masked")).toEqual(JSON.parse(text));
  });

  it("with an empty object restores the default", async ({ server, editor }) => {
    await patch(server, editor, "masked", { tokenTtl: "4000s" });
    const { status, text } = await patch(server, editor, "masked", {}, { query: "updateMask=*" });
    expect([status, JSON.parse(text).tokenTtl]).toEqual([200, "3600s"]);
  });

  describe("makes no change", () => {
    const JSON_TYPE = { "content-type": "application/json" };
    const CHUNKED = { ...JSON_TYPE, "transfer-encoding": "chunked" };

    test.for<[what: string, sent: Sent, reason: string, message: string]>([
      ["without a body", {}, "REQUEST_BODY_MISSING", "is missing; send the appAttestConfig as JSON"],
      ["by an empty body", { headers: JSON_TYPE, body: "" }, "REQUEST_BODY_MISSING", "is missing"],
      ["by an empty body in chunks", { headers: CHUNKED, body: "" }, "REQUEST_BODY_MISSING", "is missing"],
      ["by an empty list", { headers: JSON_TYPE, body: "[]" }, "INVALID_BODY", "must be a JSON object"],
      ["by null", { headers: JSON_TYPE, body: "null" }, "INVALID_BODY", "must be a JSON object"],
      ["by a text", { headers: JSON_TYPE, body: '"x"' }, "INVALID_BODY", "must be a JSON object"],
      ["by a number", { headers: JSON_TYPE, body: "1" }, "INVALID_BODY", "must be a JSON object"],
    ])("%s", async ([_what, sent, reason, message], { server, editor }) => {
      await patch(server, editor, "masked", { tokenTtl: "4000s" });
      for (const mask of ["*", "tokenTtl"]) {
        const target = `${configOf("masked")}?updateMask=${mask}`;
        const { status, text } = await send(server.integrityUrl, target, {
          method: "PATCH",
          token: editor,
          ...sent,
        });
        expect([status, errorOf(text).reason, errorOf(text).fields]).toEqual([400, reason, ["body"]]);
        expect(text).toContain(message);
      }
      expect((await readConfig(server, editor, "masked")).tokenTtl).toBe("4000s");
    });

    test("over gRPC without a configuration", async ({ server, editor }) => {
      const { trailers, headers } = await exchangeHttp2(
        server.integrityUrl,
        {
          ":method": "POST",
          ":path": "/waybill.integrity.v1.IntegrityService/UpdateAppAttestConfig",
          "content-type": "application/grpc",
          authorization: `Bearer ${editor}`,
        },
        // A request with a single field, the mask `*`.
        envelope(Buffer.from([0x12, 3, 0x0a, 1, 0x2a])),
      );
      const INVALID_ARGUMENT = "3";
      expect({ ...headers, ...trailers }["grpc-status"]).toBe(INVALID_ARGUMENT);
    });
  });

  it("to the default value overrides the configuration file", async ({ server, editor }) => {
    expect((await readConfig(server, editor, "app-7d")).tokenTtl).toBe("604800s");
    const { text } = await patch(server, editor, "app-7d", {});
    expect(JSON.parse(text).tokenTtl).toBe("3600s");
    expect((await readConfig(server, editor, "app-7d")).tokenTtl).toBe("3600s");
  });

  it("returns only the fields that `fields` selects", async ({ server, editor }) => {
    const { text } = await patch(
      server,
      editor,
      "changed",
      { tokenTtl: "1801s" },
      {
        query: "updateMask=tokenTtl&fields=tokenTtl",
      },
    );
    expect(text).toBe('{"tokenTtl":"1801s"}');
  });

  it("leaves the responses of other configurations unchanged", async ({ server, editor }) => {
    const { text } = await send(server.integrityUrl, configOf(IOS_APP), { token: editor });
    expect(text).toBe(JSON.stringify({ name: nameOf(IOS_APP), tokenTtl: "3600s" }));
  });
});

describe("UpdateAppAttestConfig checks the permissions", () => {
  test.for<[principal: string, scopes: ("platform" | "app-platform")[], status: number]>([
    [EDITOR, ["platform"], 200],
    [EDITOR, ["app-platform"], 200],
    [EDITOR, ["app-platform", "platform"], 200],
    [VIEWER, ["platform"], 403],
    [VIEWER, ["app-platform"], 403],
    [NO_ROLE, ["platform", "app-platform"], 403],
  ])("of %s with %j: %d", async ([principal, scopes, status], { server }) => {
    const token = await server.token(principal, ...scopes);
    expect((await patch(server, token, "changed", { tokenTtl: "7200s" })).status).toBe(status);
  });
});
