import fc from "fast-check";
import { expect, test } from "vitest";
import type { Caller } from "../../api/caller.js";
import { IntegrityService } from "../../gen/waybill/integrity/v1/integrity_pb.js";
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

/** Requests that differ in few fields, so that many of them have a logger of another one. */
const anyOutcome: fc.Arbitrary<Outcome<Caller>> = fc.record({
  requestId: fc.constantFrom("id-0", "id-1"),
  protocol: fc.constantFrom("http", "grpc"),
  httpMethod: fc.constantFrom("GET", "POST"),
  target: fc.constantFrom("/a", "/a?page=1", "/a b", 'undefined /"', `/${"c".repeat(300)}`),
  status: fc.constantFrom(200, 304, 404, 500),
  durationMs: fc.constantFrom(1, 2.3456),
  operation: fc.constantFrom("GetAppAttestConfig", undefined),
  route: fc.constant(undefined),
  error: fc.constant(undefined),
  caller: fc.constantFrom(undefined, callerOf("undefined"), callerOf("b"), callerOf('"c"')),
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
          ({ requestId, protocol, httpMethod, target, status, durationMs, operation, caller }) => ({
            level: status < 500 ? "info" : "error",
            time: expect.any(String),
            service: "integrity",
            operation: operation ?? "none",
            protocol,
            method: httpMethod,
            path: { "/a?page=1": "/a", [`/${"c".repeat(300)}`]: `/${"c".repeat(199)}…` }[target] ?? target,
            ...(caller?.kind === "principal" && { principal: caller.principal.name }),
            requestId,
            status,
            durationMs: durationMs === 1 ? 1 : 2.346,
            msg: "request",
          }),
        ),
      );
    }),
  );
});
