import type { Logger } from "pino";
import type { Caller } from "../../api/caller.js";
import type { Outcome } from "../../http/request-record.js";
import { excerpt } from "../../limits/excerpt.js";
import { StoreUnavailableError } from "../../model/store-error.js";
import { type Contract, endCall } from "../../telemetry/tracing.js";
import { errorFields, type FailureLog } from "./failure-log.js";
import type { Metrics } from "./metrics.js";

/** A service: its name in logs and metrics, and its contract. */
export interface ObservedService {
  readonly name: string;
  readonly contract: Contract;
}

/** Creates a function that logs and measures each request of a service, and ends its span. */
export function requestObserver(
  { name: service, contract }: ObservedService,
  metrics: Metrics,
  logger: Logger,
  failures: FailureLog,
): (outcome: Outcome<Caller>) => void {
  const log = logger.child({ service });
  return (outcome) => {
    const { status, durationMs, error, caller } = outcome;
    const { operation = "none" } = outcome;
    metrics.requests.observe({ service, operation, status }, durationMs / 1000);
    if (error?.cause instanceof StoreUnavailableError) metrics.storeErrors.inc({ caller: operation });
    const line = lineOf(outcome);
    if (status >= 500) {
      log.error({ ...line, ...errorFields(error?.cause) }, "request");
      failures.noted(error?.cause);
    } else log.info(line, "request");
    endCall(contract, outcome, caller && "project" in caller ? caller.project.number : undefined);
  };
}

/**
 * Creates a function that logs each request to the admin listener that failed with an unexpected error. Other requests
 * are not logged, because probes and scrapes are frequent.
 */
export function adminObserver(logger: Logger): (outcome: Outcome<never>) => void {
  const log = logger.child({ service: "admin" });
  return (outcome) => {
    const cause = outcome.error?.cause;
    if (outcome.status < 500 || cause === undefined) return;
    log.error({ ...lineOf(outcome), ...errorFields(cause) }, "request");
  };
}

function lineOf(outcome: Outcome<Caller>): object {
  const { requestId, operation = "none", protocol, httpMethod, target, status, durationMs } = outcome;
  const { caller, error } = outcome;
  return {
    requestId,
    operation,
    protocol,
    method: httpMethod,
    // The query is omitted, because it may contain data that does not belong in logs.
    path: pathOf(target),
    status,
    durationMs: Math.round(durationMs * 1000) / 1000,
    principal: caller && caller.kind !== "app" ? excerpt(caller.principal.name) : undefined,
    reason: error?.reason,
  };
}

/** Returns a request target's path. A long path is shortened to an excerpt. */
function pathOf(target: string): string {
  const end = target.indexOf("?");
  return excerpt(end < 0 ? target : target.slice(0, end));
}
