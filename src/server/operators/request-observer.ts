import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { Caller } from "../../api/caller.js";
import type { Outcome, Protocol } from "../../http/request-record.js";
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
  const loggers = new RequestLoggers(logger.child({ service }));
  return (outcome) => {
    const { status, durationMs, error, caller } = outcome;
    const { operation = "none" } = outcome;
    metrics.requests.observe({ service, operation, status }, durationMs / 1000);
    if (error?.cause instanceof StoreUnavailableError) metrics.storeErrors.inc({ caller: operation });
    const log = loggers.loggerFor(outcome);
    if (status >= 500) {
      log.error({ ...resultOf(outcome), ...errorFields(error?.cause) }, "request");
      failures.noted(error?.cause);
    } else log.info(resultOf(outcome), "request");
    endCall(contract, outcome, caller && "project" in caller ? caller.project.number : undefined);
  };
}

/**
 * Creates a function that logs each request to the admin listener that failed with an unexpected error. Other requests
 * are not logged, because probes and scrapes are frequent.
 */
export function adminObserver(logger: Logger): (outcome: Outcome<never>) => void {
  const loggers = new RequestLoggers(logger.child({ service: "admin" }));
  return (outcome) => {
    const cause = outcome.error?.cause;
    if (outcome.status < 500 || cause === undefined) return;
    loggers.loggerFor(outcome).error({ ...resultOf(outcome), ...errorFields(cause) }, "request");
  };
}

/** Maximum number of loggers that are kept for the requests of a service. */
const MAX_LOGGERS = 1_000;

/** Fields that repeated requests share. */
interface RequestFields {
  readonly operation: string;
  readonly protocol: Protocol;
  readonly method: string;
  readonly path: string;
  readonly principal: string | undefined;
}

/**
 * Loggers whose lines contain the fields of a request. Repeated requests share a logger, because writing the fields as
 * JSON for each line would take a tenth of the time of a small read.
 */
class RequestLoggers {
  readonly #logger: Logger;
  readonly #loggers = new LRUCache<string, RequestFields & { readonly logger: Logger }>({ max: MAX_LOGGERS });

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  loggerFor({ operation = "none", protocol, httpMethod: method, target, caller }: Outcome<Caller>): Logger {
    // The query is omitted, because it may contain data that does not belong in logs.
    const path = pathOf(target);
    const principal = caller && caller.kind !== "app" ? excerpt(caller.principal.name) : undefined;
    const key = `${principal} ${path}`;
    const known = this.#loggers.get(key);
    if (
      known?.operation === operation &&
      known.protocol === protocol &&
      known.method === method &&
      known.principal === principal
    ) {
      return known.logger;
    }
    const fields: RequestFields = { operation, protocol, method, path, principal };
    const logger = this.#logger.child(fields);
    this.#loggers.set(key, { ...fields, logger });
    return logger;
  }
}

/** Returns the fields of a log line that are different for each request. */
function resultOf({ requestId, status, durationMs, error }: Outcome<Caller>): object {
  return {
    requestId,
    status,
    durationMs: Math.round(durationMs * 1000) / 1000,
    reason: error?.reason,
  };
}

/** Returns a request target's path. A long path is shortened to an excerpt. */
function pathOf(target: string): string {
  const end = target.indexOf("?");
  return excerpt(end < 0 ? target : target.slice(0, end));
}
