import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { configOf, nameOf, patch, readConfig } from "../support/data/integrity.js";
import { CHANGES_CONFIG } from "../support/data/integrity-changes.js";
import { type HttpResponse, send } from "../support/http/exchange.js";
import { test as serving } from "../support/servers/fixtures.js";

serving.override("config", CHANGES_CONFIG);

const test = serving.extend(
  "etagOf",
  ({ server, editor }) =>
    async (app: string): Promise<string> =>
      (await send(server.integrityUrl, configOf(app), { token: editor })).headers.etag ?? "",
);

describe("a configuration's etag", () => {
  function expectMismatch({ status, text }: HttpResponse, expected: 409 | 412): void {
    expect(status).toBe(expected);
    expect(errorOf(text)).toMatchObject({
      code: expected,
      status: "ABORTED",
      reason: "ETAG_MISMATCH",
      metadata: { resourceName: nameOf("guarded") },
      fields: [],
    });
  }

  test("from GET protects the first change, in the header and in the body", async ({
    server,
    editor,
    etagOf,
  }) => {
    const [before, others] = [await etagOf("guarded"), await etagOf("raced")];
    expectMismatch(await patch(server, editor, "guarded", { etag: others }), 409);
    const ifMatch = (etag: string) => ({ headers: { "if-match": etag } });
    expectMismatch(await patch(server, editor, "guarded", {}, ifMatch(others)), 412);
    const first = await patch(server, editor, "guarded", { tokenTtl: "1800s", etag: before });
    expect(first.status).toBe(200);
    expectMismatch(await patch(server, editor, "guarded", { tokenTtl: "1900s", etag: before }), 409);
    expectMismatch(await patch(server, editor, "guarded", { tokenTtl: "1900s" }, ifMatch(before)), 412);
    expect(await readConfig(server, editor, "guarded")).toEqual(JSON.parse(first.text));
  });

  test("from a change protects the next change", async ({ server, editor }) => {
    for (const tokenTtl of ["2000s", "2001s", "2001s"]) {
      const { etag } = await readConfig(server, editor, "guarded");
      const done = await patch(server, editor, "guarded", { tokenTtl, etag });
      expect(JSON.parse(done.text)).toEqual({ name: nameOf("guarded"), tokenTtl, etag: expect.any(String) });
      expectMismatch(await patch(server, editor, "guarded", { tokenTtl, etag }), 409);
      const list = { headers: { "if-match": `"other", ${etag}` } };
      expectMismatch(await patch(server, editor, "guarded", { tokenTtl }, list), 412);
    }
    expect((await patch(server, editor, "guarded", {}, { headers: { "if-match": "*" } })).status).toBe(200);
  });

  test("in If-None-Match prevents a change of this state, and * prevents every change", async ({
    server,
    editor,
    etagOf,
  }) => {
    const before = await readConfig(server, editor, "guarded");
    const rejected = ["*", before.etag, `W/${before.etag}`, `"other", ${await etagOf("guarded")}`];
    for (const tags of rejected) {
      const sent = { headers: { "if-none-match": String(tags) } };
      expectMismatch(await patch(server, editor, "guarded", { tokenTtl: "2100s" }, sent), 412);
    }
    expect(await readConfig(server, editor, "guarded")).toEqual(before);
    const other = { headers: { "if-none-match": '"other"' } };
    expect((await patch(server, editor, "guarded", { tokenTtl: "2100s" }, other)).status).toBe(200);
  });

  test("lets exactly one of several concurrent changes succeed", async ({ server, editor, etagOf }) => {
    for (let round = 0; round < 5; round++) {
      const etag = await etagOf("raced");
      const ttls = Array.from({ length: 8 }, (_, index) => `${1800 + 10 * round + index}s`);
      const responses = await Promise.all(
        ttls.map((tokenTtl) => patch(server, editor, "raced", { tokenTtl, etag })),
      );
      const won = responses.filter(({ status }) => status === 200);
      expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
      expect(await readConfig(server, editor, "raced")).toEqual(JSON.parse(won[0]?.text ?? ""));
    }
  });

  test("is optional: changes without etag are made one after the other", async ({ server, editor }) => {
    const ttls = Array.from({ length: 20 }, (_, index) => `${3000 + index}s`);
    const responses = await Promise.all(ttls.map((tokenTtl) => patch(server, editor, "kept", { tokenTtl })));
    expect(responses.map(({ status, text }) => [status, JSON.parse(text).tokenTtl])).toEqual(
      ttls.map((tokenTtl) => [200, tokenTtl]),
    );
    const etags = responses.map(({ text }) => JSON.parse(text).etag);
    expect(new Set(etags).size).toBe(ttls.length);
    expect(etags).toContain((await readConfig(server, editor, "kept")).etag);
  });
});
