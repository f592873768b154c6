import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { listOf } from "../support/data/delivery-data.js";
import { send } from "../support/http/exchange.js";
import { it, test } from "../support/servers/fixtures.js";
import { ANDROID_APP, BASE_CONFIG, IOS_APP, PROJECT } from "../support/servers/project.js";

const CONFIG = `/v1/projects/${PROJECT.id}/apps/${IOS_APP}/appAttestConfig`;
const LIST = listOf(ANDROID_APP);

describe("a listener", () => {
  const OPERATORS = ["/healthz", "/readyz", "/metrics"];
  test.for([
    ["integrityUrl", [CONFIG], [LIST, ...OPERATORS]],
    ["messagingDataUrl", [LIST], [CONFIG, ...OPERATORS]],
    ["adminUrl", OPERATORS, [CONFIG, LIST]],
  ] as const)(
    "on %s serves only its own routes",
    async ([listener, served, notServed], { server, viewer }) => {
      for (const target of served)
        expect((await send(server[listener], target, { token: viewer })).status).toBe(200);
      for (const target of notServed)
        expect((await send(server[listener], target, { token: viewer })).status).toBe(404);
    },
  );

  test.for([
    ["integrityUrl", "integrity.waybill", LIST],
    ["messagingDataUrl", "messaging-data.waybill", CONFIG],
  ] as const)(
    "on %s has its service's name in errors",
    async ([listener, domain, target], { server, viewer }) => {
      const { text } = await send(server[listener], target, { token: viewer });
      expect(errorOf(text)).toMatchObject({ reason: "ROUTE_NOT_FOUND", domain });
    },
  );
});

test.for([
  ["integrity", ["integrityUrl", "adminUrl"], "messagingDataUrl"],
  ["messaging-data", ["messagingDataUrl", "adminUrl"], "integrityUrl"],
] as const)("--only %s starts no other service", async ([service, started, left], { openServer }) => {
  const one = await openServer(BASE_CONFIG, ["--only", service]);
  for (const listener of started) expect(one[listener]).toMatch(/^http:/);
  expect(one[left]).toBeUndefined();
  await one.stop();
});

it("metrics count requests by operation", async ({ server, viewer }) => {
  await send(server.messagingDataUrl, LIST, { token: viewer });
  const { headers, text } = await send(server.adminUrl, "/metrics");
  expect(headers["content-type"]).toContain("text/plain");
  expect(text).toMatch(/operation="ListAndroidDeliveryData".*status="200"/);
});
