import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { adminListener } from "./admin-listener.js";

test.each([
  ["GET", "/", 404, "ROUTE_NOT_FOUND"],
  ["GET", "/healthz/", 404, "ROUTE_NOT_FOUND"],
  ["POST", "/healthz", 405, "METHOD_NOT_ALLOWED"],
  ["DELETE", "/metrics?x", 405, "METHOD_NOT_ALLOWED"],
] as const)("%s %s is refused in the form of all failures", async (method, url, status, reason) => {
  const app = adminListener({ metrics: new Registry(), ready: async () => {} });
  const response = await app.inject({ method, url });
  expect(response.statusCode).toBe(status);
  expect(response.headers.allow).toBe(status === 405 ? "GET, HEAD" : undefined);
  expect(response.json()).toMatchObject({
    error: { code: status, details: [{ reason, domain: "admin.waybill" }] },
  });
});
