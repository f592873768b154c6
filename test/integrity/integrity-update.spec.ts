import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { envelope } from "../support/calls.js";
import { type Answer, type Sent, send } from "../support/exchange.js";
import { exchangeHttp2 } from "../support/http2.js";
import { configOf, nameOf, patch, readConfig } from "../support/integrity.js";
import { type OpenServer, openServer } from "../support/open-server.js";
import {
  BASE_CONFIG,
  EDITOR,
  IOS_APP,
  PROJECT,
  poll,
  type Server,
  STRANGER,
  startServer,
  temporaryDirectory,
  VIEWER,
} from "../support/waybill.js";

const APPS = ["changed", "masked", "guarded", "raced", "kept", "refused"];
const config = {
  ...BASE_CONFIG,
  projects: BASE_CONFIG.projects.map((project) =>
    project.id === PROJECT.id && "apps" in project
      ? { ...project, apps: [...project.apps, ...APPS.map((id) => ({ id }))] }
      : project,
  ),
};
const JOURNAL = "app-attest-configs.ndjson";
const KILLS = 3;

describe("UpdateAppAttestConfig", () => {
  let server: OpenServer;
  let token: string;
  beforeAll(async () => {
    server = await openServer(config);
    token = await server.token(EDITOR);
  });
  afterAll(() => server.close());

  it("returns the whole configuration, and the change is visible at once", async () => {
    const { status, headers, text } = await patch(server, token, "changed", { tokenTtl: "7200s" });
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    const changed = JSON.parse(text);
    expect(changed).toEqual({
      name: nameOf("changed"),
      tokenTtl: "7200s",
      etag: expect.stringMatching(/^"[\w-]+"$/),
    });
    expect(await readConfig(server, token, "changed")).toEqual(changed);
  });

  it("writes a short journal line even if the mask repeats a field", async () => {
    const body = JSON.stringify({
      appAttestConfig: { name: nameOf("masked"), tokenTtl: "7201s" },
      updateMask: "tokenTtl,".repeat(200_000).slice(0, -1),
    });
    const target = "/waybill.integrity.v1.IntegrityService/UpdateAppAttestConfig";
    const headers = { "content-type": "application/json" };
    const sent = { method: "POST", token, headers, body };
    expect((await send(server.integrityUrl, target, sent)).status).toBe(200);
    const last = readFileSync(join(server.dataDir, JOURNAL), "utf8").trimEnd().split("\n").at(-1) ?? "";
    expect(JSON.parse(last)).toMatchObject({ updateMask: "tokenTtl", tokenTtl: "7201s" });
    expect(last.length).toBeLessThan(1_000);
  });

  test.each<[query: string, body: object, tokenTtl: string]>([
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
  ])("with %s and the body %j sets the TTL to %s", async (query, body, tokenTtl) => {
    const { status, text } = await patch(server, token, "masked", body, { query });
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ name: nameOf("masked"), tokenTtl });
    expect(await readConfig(server, token, "masked")).toEqual(JSON.parse(text));
  });

  it("with an empty object restores the default", async () => {
    await patch(server, token, "masked", { tokenTtl: "4000s" });
    const { status, text } = await patch(server, token, "masked", {}, { query: "updateMask=*" });
    expect([status, JSON.parse(text).tokenTtl]).toEqual([200, "3600s"]);
  });

  describe("changes nothing", () => {
    const JSON_TYPE = { "content-type": "application/json" };
    const CHUNKED = { ...JSON_TYPE, "transfer-encoding": "chunked" };

    test.each<[what: string, sent: Sent, reason: string, told: string]>([
      ["without a body", {}, "REQUEST_BODY_MISSING", "is missing; send the appAttestConfig as JSON"],
      ["by an empty body", { headers: JSON_TYPE, body: "" }, "REQUEST_BODY_MISSING", "is missing"],
      ["by an empty body in chunks", { headers: CHUNKED, body: "" }, "REQUEST_BODY_MISSING", "is missing"],
      ["by an empty list", { headers: JSON_TYPE, body: "[]" }, "INVALID_BODY", "must be a JSON object"],
      ["by null", { headers: JSON_TYPE, body: "null" }, "INVALID_BODY", "must be a JSON object"],
      ["by a text", { headers: JSON_TYPE, body: '"x"' }, "INVALID_BODY", "must be a JSON object"],
      ["by a number", { headers: JSON_TYPE, body: "1" }, "INVALID_BODY", "must be a JSON object"],
    ])("%s", async (_what, sent, reason, told) => {
      await patch(server, token, "masked", { tokenTtl: "4000s" });
      for (const mask of ["*", "tokenTtl"]) {
        const target = `${configOf("masked")}?updateMask=${mask}`;
        const { status, text } = await send(server.integrityUrl, target, { method: "PATCH", token, ...sent });
        expect([status, errorOf(text).reason, errorOf(text).fields]).toEqual([400, reason, ["body"]]);
        expect(text).toContain(told);
      }
      expect((await readConfig(server, token, "masked")).tokenTtl).toBe("4000s");
    });

    test("by gRPC without a configuration", async () => {
      const { trailers, headers } = await exchangeHttp2(
        server.integrityUrl,
        {
          ":method": "POST",
          ":path": "/waybill.integrity.v1.IntegrityService/UpdateAppAttestConfig",
          "content-type": "application/grpc",
          authorization: `Bearer ${token}`,
        },
        // A request whose only field is the mask `*`.
        envelope(Buffer.from([0x12, 3, 0x0a, 1, 0x2a])),
      );
      const INVALID_ARGUMENT = "3";
      expect({ ...headers, ...trailers }["grpc-status"]).toBe(INVALID_ARGUMENT);
    });
  });

  it("to the default overrides the configuration file", async () => {
    expect((await readConfig(server, token, "app-7d")).tokenTtl).toBe("604800s");
    const { text } = await patch(server, token, "app-7d", {});
    expect(JSON.parse(text).tokenTtl).toBe("3600s");
    expect((await readConfig(server, token, "app-7d")).tokenTtl).toBe("3600s");
  });

  it("returns the fields that `fields` selects", async () => {
    const { text } = await patch(
      server,
      token,
      "changed",
      { tokenTtl: "1801s" },
      {
        query: "updateMask=tokenTtl&fields=tokenTtl",
      },
    );
    expect(text).toBe('{"tokenTtl":"1801s"}');
  });

  it("leaves other configurations unchanged on the wire", async () => {
    const { text } = await send(server.integrityUrl, configOf(IOS_APP), { token });
    expect(text).toBe(JSON.stringify({ name: nameOf(IOS_APP), tokenTtl: "3600s" }));
  });
});

describe("UpdateAppAttestConfig rejects", () => {
  let server: OpenServer;
  const tokens: Record<string, string> = {};
  beforeAll(async () => {
    server = await openServer(config);
    tokens.editor = await server.token(EDITOR);
    tokens.narrow = await server.token(EDITOR, "app-platform");
    tokens.viewer = await server.token(VIEWER);
    tokens.stranger = await server.token(STRANGER);
  });
  afterAll(async () => {
    expect(() => statSync(join(server.dataDir, JOURNAL))).toThrow("ENOENT");
    await server.close();
  });

  const change = (more: { target?: string; query?: string; as?: string } & Sent): Promise<Answer> => {
    const { target = configOf("refused"), query = "updateMask=tokenTtl", as = "editor", ...sent } = more;
    return send(server.integrityUrl, `${target}?${query}`, {
      method: "PATCH",
      token: tokens[as],
      body: '{"tokenTtl":"7200s"}',
      ...sent,
      headers: { "content-type": "application/json", ...sent.headers },
    });
  };
  const body = (tokenTtl: unknown) => ({ body: JSON.stringify({ tokenTtl }) });

  test.each<[sent: Parameters<typeof change>[0], reason: string, field: string, told: string]>([
    [{ query: "" }, "UPDATE_MASK_MISSING", "updateMask", "tokenTtl"],
    [{ query: "updateMask=" }, "UPDATE_MASK_MISSING", "updateMask", "tokenTtl"],
    [{ query: "updateMask=nope" }, "UNKNOWN_FIELD", "updateMask", '"nope"'],
    [{ query: "updateMask=tokenTtl,otherField" }, "UNKNOWN_FIELD", "updateMask", '"otherField"'],
    [{ query: "updateMask=token_ttl,other_field" }, "UNKNOWN_FIELD", "updateMask", '"other_field"'],
    [{ query: "updateMask=tokenttl" }, "UNKNOWN_FIELD", "updateMask", '"tokenttl"'],
    [{ query: "updateMask=tokenTtl.seconds" }, "UNKNOWN_FIELD", "updateMask", "token_ttl.seconds"],
    [{ query: "updateMask=name" }, "IMMUTABLE_FIELD", "updateMask", "name"],
    [{ query: "updateMask=*,name" }, "IMMUTABLE_FIELD", "updateMask", "name"],
    [{ query: "updateMask=etag" }, "OUTPUT_ONLY_FIELD", "updateMask", "etag"],
    [{ query: "updateMask=TokenTtl" }, "INVALID_PARAMETER", "updateMask", '"TokenTtl"'],
    [{ query: "updateMask=tokenTtl," }, "INVALID_PARAMETER", "updateMask", '""'],
    [{ query: "updateMask=tokenTtl&updateMask=tokenTtl" }, "DUPLICATE_PARAMETER", "updateMask", "once"],
    [{ query: "updateMask=tokenTtl&tokenTtl=5s" }, "UNKNOWN_PARAMETER", "tokenTtl", "tokenTtl"],
    [body("1799.999999999s"), "INVALID_TOKEN_TTL", "tokenTtl", "1800s"],
    [body("604800.000000001s"), "INVALID_TOKEN_TTL", "tokenTtl", "604800s"],
    [body("0s"), "INVALID_TOKEN_TTL", "tokenTtl", "1800s"],
    [body("-3600s"), "INVALID_TOKEN_TTL", "tokenTtl", "1800s"],
    [body("315576000000s"), "INVALID_TOKEN_TTL", "tokenTtl", "604800s"],
    [{ ...body("1s"), query: "updateMask=*" }, "INVALID_TOKEN_TTL", "tokenTtl", "1800s"],
    [body("3600"), "INVALID_BODY", "tokenTtl", "seconds"],
    [body("1h"), "INVALID_BODY", "tokenTtl", "seconds"],
    [body("3600s and more"), "INVALID_BODY", "tokenTtl", "seconds"],
    [body(""), "INVALID_BODY", "tokenTtl", "seconds"],
    [body(3600), "INVALID_BODY", "tokenTtl", "seconds"],
    [body({ seconds: 3600 }), "INVALID_BODY", "tokenTtl", "seconds"],
    [{ body: '{"tokenTTL":"3600s"}' }, "INVALID_BODY", "body", "tokenTTL"],
    [{ body: '{"tokenTtl":"3600s","token_ttl":"3600s"}' }, "INVALID_BODY", "tokenTtl", "multiple"],
    [{ body: '{"etag":1}' }, "INVALID_BODY", "etag", "string"],
    [{ body: '{"tokenTtl":' }, "MALFORMED_JSON", "body", "JSON"],
    [{ body: "[]" }, "INVALID_BODY", "body", ""],
  ])("%j: %s", async (sent, reason, field, told) => {
    const { status, text } = await change(sent);
    expect(status).toBe(400);
    const error = errorOf(text);
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT", reason, fields: [field] });
    expect(error.message).toContain(told);
  });

  test.each<[sent: Parameters<typeof change>[0], status: number, reason: string]>([
    [{ token: "" }, 401, "CREDENTIALS_MISSING"],
    [{ as: "viewer" }, 403, "PERMISSION_MISSING"],
    [{ as: "stranger" }, 403, "PERMISSION_MISSING"],
    [{ as: "viewer", query: "updateMask=name" }, 403, "PERMISSION_MISSING"],
    [{ target: configOf("refused", "other-project") }, 403, "PERMISSION_MISSING"],
    [{ target: configOf("nobody") }, 404, "RESOURCE_NOT_FOUND"],
    [{ target: configOf("REFUSED") }, 404, "RESOURCE_NOT_FOUND"],
    [{ target: configOf("nobody"), as: "narrow" }, 404, "RESOURCE_NOT_FOUND"],
    [{ target: `${configOf("refused")}/` }, 404, "ROUTE_NOT_FOUND"],
    [{ method: "PUT" }, 405, "METHOD_NOT_ALLOWED"],
    [{ headers: { "content-type": "text/plain" } }, 415, "UNSUPPORTED_MEDIA_TYPE"],
    [{ body: JSON.stringify({ etag: "x".repeat(2 ** 20) }) }, 413, "BODY_TOO_LARGE"],
  ])("%j with %d %s", async (sent, status, reason) => {
    const answer = await change(sent);
    expect(answer.status).toBe(status);
    expect(errorOf(answer.text).reason).toBe(reason);
  });
});

describe("UpdateAppAttestConfig checks permissions", () => {
  let server: OpenServer;
  beforeAll(async () => {
    server = await openServer(config);
  });
  afterAll(() => server.close());

  test.each<[principal: string, scopes: ("platform" | "app-platform")[], status: number]>([
    [EDITOR, ["platform"], 200],
    [EDITOR, ["app-platform"], 200],
    [EDITOR, ["app-platform", "platform"], 200],
    [VIEWER, ["platform"], 403],
    [VIEWER, ["app-platform"], 403],
    [STRANGER, ["platform", "app-platform"], 403],
  ])("of %s with %j: %d", async (principal, scopes, status) => {
    const token = await server.token(principal, ...scopes);
    expect((await patch(server, token, "changed", { tokenTtl: "7200s" })).status).toBe(status);
  });
});

describe("an etag of a configuration", () => {
  let server: OpenServer;
  let token: string;
  beforeAll(async () => {
    server = await openServer(config);
    token = await server.token(EDITOR);
  });
  afterAll(() => server.close());

  const etagOf = async (app: string): Promise<string> =>
    (await send(server.integrityUrl, configOf(app), { token })).headers.etag ?? "";

  function expectMismatch({ status, text }: Answer, expected: 409 | 412): void {
    expect(status).toBe(expected);
    expect(errorOf(text)).toMatchObject({
      code: expected,
      status: "ABORTED",
      reason: "ETAG_MISMATCH",
      metadata: { resourceName: nameOf("guarded") },
      fields: [],
    });
  }

  it("from GET guards the first change, in the header and in the body", async () => {
    const [before, others] = [await etagOf("guarded"), await etagOf("raced")];
    expectMismatch(await patch(server, token, "guarded", { etag: others }), 409);
    const ifMatch = (etag: string) => ({ headers: { "if-match": etag } });
    expectMismatch(await patch(server, token, "guarded", {}, ifMatch(others)), 412);
    const first = await patch(server, token, "guarded", { tokenTtl: "1800s", etag: before });
    expect(first.status).toBe(200);
    expectMismatch(await patch(server, token, "guarded", { tokenTtl: "1900s", etag: before }), 409);
    expectMismatch(await patch(server, token, "guarded", { tokenTtl: "1900s" }, ifMatch(before)), 412);
    expect(await readConfig(server, token, "guarded")).toEqual(JSON.parse(first.text));
  });

  it("from a change guards every later one", async () => {
    for (const tokenTtl of ["2000s", "2001s", "2001s"]) {
      const { etag } = await readConfig(server, token, "guarded");
      const done = await patch(server, token, "guarded", { tokenTtl, etag });
      expect(JSON.parse(done.text)).toEqual({ name: nameOf("guarded"), tokenTtl, etag: expect.any(String) });
      expectMismatch(await patch(server, token, "guarded", { tokenTtl, etag }), 409);
      const list = { headers: { "if-match": `"other", ${etag}` } };
      expectMismatch(await patch(server, token, "guarded", { tokenTtl }, list), 412);
    }
    expect((await patch(server, token, "guarded", {}, { headers: { "if-match": "*" } })).status).toBe(200);
  });

  it("in If-None-Match prevents a change of that state, and * prevents any change", async () => {
    const before = await readConfig(server, token, "guarded");
    const refused = ["*", before.etag, `W/${before.etag}`, `"other", ${await etagOf("guarded")}`];
    for (const tags of refused) {
      const sent = { headers: { "if-none-match": String(tags) } };
      expectMismatch(await patch(server, token, "guarded", { tokenTtl: "2100s" }, sent), 412);
    }
    expect(await readConfig(server, token, "guarded")).toEqual(before);
    const other = { headers: { "if-none-match": '"other"' } };
    expect((await patch(server, token, "guarded", { tokenTtl: "2100s" }, other)).status).toBe(200);
  });

  it("lets exactly one of several concurrent changes pass", async () => {
    for (let round = 0; round < 5; round++) {
      const etag = await etagOf("raced");
      const ttls = Array.from({ length: 8 }, (_, index) => `${1800 + 10 * round + index}s`);
      const answers = await Promise.all(
        ttls.map((tokenTtl) => patch(server, token, "raced", { tokenTtl, etag })),
      );
      const won = answers.filter(({ status }) => status === 200);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
      expect(await readConfig(server, token, "raced")).toEqual(JSON.parse(won[0]?.text ?? ""));
    }
  });

  it("is optional: changes without one are applied one after the other", async () => {
    const ttls = Array.from({ length: 20 }, (_, index) => `${3000 + index}s`);
    const answers = await Promise.all(ttls.map((tokenTtl) => patch(server, token, "kept", { tokenTtl })));
    expect(answers.map(({ status, text }) => [status, JSON.parse(text).tokenTtl])).toEqual(
      ttls.map((tokenTtl) => [200, tokenTtl]),
    );
    const etags = answers.map(({ text }) => JSON.parse(text).etag);
    expect(new Set(etags).size).toBe(ttls.length);
    expect(etags).toContain((await readConfig(server, token, "kept")).etag);
  });
});

describe("a changed configuration", () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  const servers: Server[] = [];
  beforeEach(async () => {
    directory = await temporaryDirectory();
  });
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop()));
    await directory.remove();
  });
  const start = async (configuration: object = config): Promise<Server> => {
    const server = await startServer(directory.path, configuration, ["--only", "integrity"]);
    servers.push(server);
    return server;
  };
  const warnings = (server: Server): Record<string, unknown>[] =>
    server
      .log()
      .split("\n")
      .filter((line) => line.includes('"level":"warn"'))
      .map((line) => JSON.parse(line));

  it("survives restarts, overrides the configuration file, and is logged at the start", async () => {
    const before = await start();
    const token = await before.token(EDITOR);
    expect(warnings(before)).toEqual([]);
    const { text } = await patch(before, token, "app-7d", { tokenTtl: "7200s" });
    await patch(before, token, "kept", { tokenTtl: "7200s" });
    expect(await before.stop()).toBe(0);

    const after = await start();
    expect(await readConfig(after, token, "app-7d")).toEqual(JSON.parse(text));
    expect(warnings(after)).toEqual([
      expect.objectContaining({
        name: nameOf("app-7d"),
        stored: "7200s",
        principal: EDITOR,
        changedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        configured: "604800s",
        msg: expect.stringContaining("7200s"),
      }),
    ]);
    expect((await patch(after, token, "app-7d", { tokenTtl: "604800s" })).status).toBe(200);
    expect(await after.stop()).toBe(0);
    expect(warnings(await start())).toEqual([]);
  }, 60_000);

  it("is kept while its app is not registered", async () => {
    const before = await start();
    const token = await before.token(EDITOR);
    const { text } = await patch(before, token, "kept", { tokenTtl: "7200s" });
    await before.stop();
    const without = await start(BASE_CONFIG);
    expect((await send(without.integrityUrl, configOf("kept"), { token })).status).toBe(404);
    await without.stop();
    expect(await readConfig(await start(), token, "kept")).toEqual(JSON.parse(text));
  });

  it("is on disk when it is acknowledged: a kill after each answer loses nothing", async () => {
    let token = "";
    for (let kill = 0; kill < KILLS; kill++) {
      const server = await start();
      token ||= await server.token(EDITOR);
      const last = await readConfig(server, token, "kept");
      expect(last.tokenTtl).toBe(kill === 0 ? "3600s" : `${1800 + 2 * kill - 1}s`);
      await patch(server, token, "kept", { tokenTtl: `${1800 + 2 * kill}s` });
      const { status } = await patch(server, token, "kept", {
        tokenTtl: `${1801 + 2 * kill}s`,
        etag: (await readConfig(server, token, "kept")).etag,
      });
      await server.stop("SIGKILL");
      expect(status).toBe(200);
    }
  }, 60_000);

  it("survives a kill during other changes if it was acknowledged", async () => {
    let token = "";
    for (let kill = 0; kill < KILLS; kill++) {
      const server = await start();
      token ||= await server.token(EDITOR);
      const bearer = token;
      let answered = 0;
      const ended = Promise.all(
        ["kept", "raced", "changed"].map(async (app) => {
          let acknowledged = await readConfig(server, bearer, app);
          for (let seconds = 1800; ; seconds++) {
            const answer = await patch(server, bearer, app, { tokenTtl: `${seconds}s` }).catch(
              () => undefined,
            );
            if (answer?.status !== 200) return { app, acknowledged, sent: `${seconds}s` };
            acknowledged = JSON.parse(answer.text);
            answered++;
          }
        }),
      );
      await poll(
        async () => answered,
        (count) => count > 10,
      );
      await server.stop("SIGKILL");
      const after = await start();
      for (const { app, acknowledged, sent } of await ended) {
        const found = await readConfig(after, bearer, app);
        // The last change may have been stored without an acknowledgement.
        if (found.tokenTtl === sent) expect(found.etag).not.toBe(acknowledged.etag);
        else expect(found).toEqual(acknowledged);
      }
      await after.stop();
    }
  }, 60_000);

  it("is shared by servers with one data directory, without lost updates", async () => {
    const one = await start();
    const two = await start();
    const both = [one, two];
    const token = await one.token(EDITOR);
    const seenByBoth = async (tokenTtl: string): Promise<void> => {
      for (const server of both) {
        const seen = await poll(
          () => readConfig(server, token, "raced"),
          (found) => found.tokenTtl === tokenTtl,
        );
        expect(seen.tokenTtl).toBe(tokenTtl);
      }
    };
    await patch(one, token, "raced", { tokenTtl: "1800s" });
    await seenByBoth("1800s");

    for (let round = 0; round < 3; round++) {
      const { etag } = await readConfig(one, token, "raced");
      const ttls = [0, 1, 2, 3].map((index) => `${2000 + 10 * round + index}s`);
      const answers = await Promise.all(
        ttls.map((tokenTtl, index) => patch(both[index % 2] ?? one, token, "raced", { tokenTtl, etag })),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
      await seenByBoth(ttls[answers.findIndex(({ status }) => status === 200)] ?? "");
    }

    const ttls = Array.from({ length: 12 }, (_, index) => `${5000 + index}s`);
    const answers = await Promise.all(
      ttls.map((tokenTtl, index) => patch(both[index % 2] ?? one, token, "kept", { tokenTtl })),
    );
    expect(answers.map(({ status }) => status)).toEqual(ttls.map(() => 200));
    const lines = readFileSync(join(one.dataDir, JOURNAL), "utf8").split("\n");
    for (const tokenTtl of ttls) expect(lines.some((line) => line.includes(`"${tokenTtl}"`))).toBe(true);
    expect(new Set(answers.map(({ text }) => JSON.parse(text).etag)).size).toBe(ttls.length);
    const [ofOne, ofTwo] = await poll(
      () => Promise.all(both.map((server) => readConfig(server, token, "kept"))),
      ([a, b]) => a?.etag === b?.etag,
    );
    expect(ofOne).toEqual(ofTwo);
  }, 60_000);

  it.skipIf(process.platform !== "linux")("is unaffected by changes that fail on a full disk", async () => {
    const server = await start();
    const token = await server.token(EDITOR);
    const { text } = await patch(server, token, "kept", { tokenTtl: "1800s" });
    const { size } = statSync(join(server.dataDir, JOURNAL));
    const limit = (bytes: number | "unlimited"): void => {
      execFileSync("prlimit", ["--pid", String(server.process.pid), `--fsize=${bytes}:`]);
    };
    for (const room of [20, 20, 0]) {
      limit(size + room);
      const refused = await patch(server, token, "kept", { tokenTtl: "1900s" });
      expect(refused.status).toBe(503);
      expect(refused.headers["retry-after"]).toMatch(/^\d+$/);
      expect(errorOf(refused.text)).toMatchObject({ status: "UNAVAILABLE", reason: "STORE_UNAVAILABLE" });
      expect(await readConfig(server, token, "kept")).toEqual(JSON.parse(text));
    }
    expect((await fetch(`${server.adminUrl}/metrics`).then((answer) => answer.text())).split("\n")).toContain(
      'waybill_store_errors_total{caller="UpdateAppAttestConfig"} 3',
    );
    limit("unlimited");
    const done = await patch(server, token, "kept", { tokenTtl: "2000s", etag: JSON.parse(text).etag });
    expect(done.status).toBe(200);
    await server.stop("SIGKILL");
    expect(await readConfig(await start(), token, "kept")).toEqual(JSON.parse(done.text));
  });
});

test("a damaged journal is reported at the start, and changes continue from the last valid state", async () => {
  const directory = await temporaryDirectory();
  const before = await startServer(directory.path, config, ["--only", "integrity"]);
  const token = await before.token(EDITOR);
  expect((await patch(before, token, "kept", { tokenTtl: "1801s" })).status).toBe(200);
  await before.stop();
  const journal = join(before.dataDir, JOURNAL);
  const [line = ""] = readFileSync(journal, "utf8").split("\n");
  const damaged = [
    line.replace('"revision":1', '"revision":9007199254740991'),
    line.replace('"revision":1', '"revision":2').replace('"1801s"', '"-5s"'),
    line.slice(0, 50),
    `${line.slice(0, -1)},"more":"${"x".repeat(1_000_000)}"}`,
  ];
  appendFileSync(journal, `${damaged.join("\n")}\n`);
  const server = await startServer(directory.path, config, ["--only", "integrity"]);
  const told = await poll(
    async () => server.log().match(/^.*app-attest-configs\.ndjson.*$/gm) ?? [],
    (lines) => lines.length === damaged.length,
  );
  expect(told.map((text) => JSON.parse(text))).toMatchObject(
    [2, 3, 4, 5].map((lineNumber) => ({ level: "warn", file: JOURNAL, lineNumber })),
  );
  expect(Math.max(...told.map(({ length }) => length))).toBeLessThan(1_000);
  expect(await readConfig(server, token, "kept")).toMatchObject({ tokenTtl: "1801s" });
  expect((await patch(server, token, "kept", { tokenTtl: "1802s" })).status).toBe(200);
  expect(await readConfig(server, token, "kept")).toMatchObject({ tokenTtl: "1802s" });
  await server.stop();
  await directory.remove();
});
