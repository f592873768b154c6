import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { listOf } from "../support/delivery-data.js";
import { send } from "../support/exchange.js";
import { type OpenServer, openServer } from "../support/open-server.js";
import {
  ANDROID_APP,
  BASE_CONFIG,
  IOS_APP,
  PROJECT,
  startServer,
  temporaryDirectory,
  VIEWER,
} from "../support/waybill.js";

const CONFIG = `/v1/projects/${PROJECT.id}/apps/${IOS_APP}/appAttestConfig`;
const LIST = listOf(ANDROID_APP);

let server: OpenServer;
let token: string;
beforeAll(async () => {
  server = await openServer();
  token = await server.token(VIEWER);
});
afterAll(() => server.close());

describe("a listener", () => {
  const OPERATORS = ["/healthz", "/readyz", "/metrics"];
  test.each([
    ["integrityUrl", [CONFIG], [LIST, ...OPERATORS]],
    ["messagingDataUrl", [LIST], [CONFIG, ...OPERATORS]],
    ["adminUrl", OPERATORS, [CONFIG, LIST]],
  ] as const)("on %s serves its own routes only", async (listener, served, notServed) => {
    for (const target of served) expect((await send(server[listener], target, { token })).status).toBe(200);
    for (const target of notServed)
      expect((await send(server[listener], target, { token })).status).toBe(404);
  });

  test.each([
    ["integrityUrl", "integrity.waybill", LIST],
    ["messagingDataUrl", "messaging-data.waybill", CONFIG],
  ] as const)("on %s names its service in errors", async (listener, domain, target) => {
    const { text } = await send(server[listener], target, { token });
    expect(errorOf(text)).toMatchObject({ reason: "ROUTE_NOT_FOUND", domain });
  });
});

test.each([
  ["integrity", ["integrityUrl", "adminUrl"], "messagingDataUrl"],
  ["messaging-data", ["messagingDataUrl", "adminUrl"], "integrityUrl"],
] as const)("--only %s starts no other service", async (service, started, left) => {
  const directory = await temporaryDirectory();
  const one = await startServer(directory.path, BASE_CONFIG, ["--only", service]);
  for (const listener of started) expect(one[listener]).toMatch(/^http:/);
  expect(one[left]).toBe("");
  expect(await one.stop()).toBe(0);
  await directory.remove();
});

it("metrics count requests by operation", async () => {
  await send(server.messagingDataUrl, LIST, { token });
  const { headers, text } = await send(server.adminUrl, "/metrics");
  expect(headers["content-type"]).toContain("text/plain");
  expect(text).toMatch(/operation="ListAndroidDeliveryData".*status="200"/);
});
