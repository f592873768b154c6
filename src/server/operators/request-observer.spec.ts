import fc from "fast-check";
import { expect, test } from "vitest";
import type { Caller } from "../../api/caller.js";
import { IntegrityService } from "../../gen/waybill/integrity/v1/integrity_pb.js";
import { routeNotFound } from "../../http/errors.js";
import type { Outcome } from "../../http/request-record.js";
import { systemClock } from "../../model/clock.js";
import { FailureLog } from "./failure-log.js";
import { loggerTo } from "./logger.js";
import { Metrics } from "./metrics.js";
import { requestObserver } from "./request-observer.js";

const callerOf = (name: string): Caller => ({
  kind: "principal",
  budgetKey: name,
  networkOf: () => "192.0.2.1",
  principal: { name, issuer: "local", id: name },
});

const anyText = fc.oneof(fc.string(), fc.string({ unit: "binary" }));

/** Requests that often share fields, so that their lines share text. */
const anyOutcome: fc.Arbitrary<Outcome<Caller>> = fc.record({
  requestId: fc.constantFrom("id-0", "id-1"),
  protocol: fc.constantFrom("http", "grpc"),
  httpMethod: fc.oneof({ weight: 5, arbitrary: fc.constantFrom("GET", "POST") }, anyText),
  target: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom("/a", "/a?page=1", `/${"a".repeat(300)}`) },
    anyText.map((path) => `/${path.replaceAll("?", "")}`),
  ),
  status: fc.constantFrom(200, 304, 404, 500),
  durationMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
  operation: fc.constantFrom("GetAppAttestConfig", undefined),
  route: fc.constant(undefined),
  error: fc.constantFrom(undefined, routeNotFound("/a")),
  caller: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(undefined, callerOf("b"), callerOf("c")) },
    anyText.map(callerOf),
  ),
});

test("requestObserver logs the fields of each request", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyOutcome, { maxLength: 30 }), async (outcomes) => {
      const lines: unknown[] = [];
      const logger = loggerTo({ write: (line) => void lines.push(JSON.parse(line)) }, "info", systemClock);
      const failures = new FailureLog(logger);
      const service = { name: "integrity", contract: IntegrityService };
      const observe = requestObserver(service, new Metrics(), logger, failures);
      for (const outcome of outcomes) observe(outcome);
      await failures.close();
      expect(lines).toEqual(
        outcomes.map(
          ({ requestId, protocol, httpMethod, target, status, durationMs, operation, caller, error }) => ({
            level: status < 500 ? "info" : "error",
            time: expect.any(String),
            service: "integrity",
            operation: operation ?? "none",
            protocol,
            method: httpMethod,
            path: { "/a?page=1": "/a", [`/${"a".repeat(300)}`]: `/${"a".repeat(199)}…` }[target] ?? target,
            ...(caller?.kind === "principal" && { principal: caller.principal.name }),
            requestId,
            status,
            durationMs: expect.closeTo(durationMs, 2),
            ...(error !== undefined && { reason: "ROUTE_NOT_FOUND" }),
            msg: "request",
          }),
        ),
      );
    }),
  );
});
