import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { configOf, nameOf } from "../support/integrity.js";
import { type OpenServer, openServer } from "../support/open-server.js";
import { run } from "../support/run.js";
import { BASE_CONFIG, EDITOR, IOS_APP } from "../support/waybill.js";

/** Debian's. */
const CURL = "/usr/bin/curl";

let server: OpenServer;
let token: string;
beforeAll(async () => {
  server = await openServer(BASE_CONFIG);
  token = await server.token(EDITOR);
});
afterAll(() => server.close());

describe.each([["--http1.1"], ["--http2-prior-knowledge"]])("with %s, it", (version) => {
  test("gets a configuration", async () => {
    const authorization = `Authorization: Bearer ${token}`;
    const url = `${server.integrityUrl}${configOf(IOS_APP)}`;
    const { stdout } = await run(CURL, [version, "--silent", "-H", authorization, url]);
    expect(JSON.parse(stdout)).toEqual({ name: nameOf(IOS_APP), tokenTtl: "3600s" });
  });
});
