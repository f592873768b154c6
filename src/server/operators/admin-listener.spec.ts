import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { adminListener } from "./admin-listener.js";

test.each([
  ["GET", "/", 404, "ROUTE_NOT_FOUND"],
  ["GET", "/healthz/", 404, "ROUTE_NOT_FOUND"],
  ["POST", "/healthz", 405, "METHOD_NOT_ALLOWED"],
  ["DELETE", "/metrics?x", 405, "METHOD_NOT_ALLOWED"],
] as const)("answers %s %s with the standard error body", async (method, url, status, reason) => {
  const listener = adminListener({ metrics: new Registry(), ready: async () => {} });
  const base = await listener.listen("127.0.0.1", 0);
  const response = await fetch(base + url, { method });
  expect(response.status).toBe(status);
  expect(response.headers.get("allow")).toBe(status === 405 ? "GET, HEAD" : null);
  expect(await response.json()).toMatchObject({
    error: { code: status, details: [{ reason, domain: "admin.waybill" }] },
  });
  await listener.close();
});
