import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OpenServer, openServer } from "../support/open-server.js";
import { run } from "../support/run.js";
import { BASE_CONFIG, EDITOR, IOS_APP, PROJECT } from "../support/waybill.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const BUF = `${ROOT}/node_modules/.bin/buf`;

let server: OpenServer;
let token: string;
beforeAll(async () => {
  server = await openServer(BASE_CONFIG);
  token = await server.token(EDITOR);
});
afterAll(() => server.close());

describe("it", () => {
  test("gets a configuration", async () => {
    const name = `projects/${PROJECT.id}/apps/${IOS_APP}/appAttestConfig`;
    const url = `${server.integrityUrl}/waybill.integrity.v1.IntegrityService/GetAppAttestConfig`;
    const args = ["curl", "-H", `Authorization: Bearer ${token}`, "-d", JSON.stringify({ name }), url];
    const { stdout } = await run(BUF, args);
    expect(JSON.parse(stdout)).toEqual({ name: name.replace(PROJECT.id, PROJECT.number), tokenTtl: "3600s" });
  });
});
