import { LRUCache } from "lru-cache";
import type { Logger } from "pino";
import type { Caller } from "../../api/caller.js";
import type { Outcome, Protocol } from "../../http/request-record.js";
import { excerpt } from "../../limits/excerpt.js";
import { StoreUnavailableError } from "../../model/store-error.js";
import { type Contract, endCall } from "../../telemetry/tracing.js";
import { errorFields, type FailureLog } from "./failure-log.js";
import type { ServerLogger } from "./logger.js";
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
  logger: ServerLogger,
  failures: FailureLog,
): (outcome: Outcome<Caller>) => void {
  const log = logger.child({ service });
  const logRequest = requestLogger(service, logger);
  return (outcome) => {
    const { status, durationMs, error, caller } = outcome;
    const { operation = "none" } = outcome;
    metrics.requests.observe({ service, operation, status }, durationMs / 1000);
    if (error?.cause instanceof StoreUnavailableError) metrics.storeErrors.inc({ caller: operation });
    if (status >= 500) {
      log.error(failureFields(outcome), MESSAGE);
      failures.noted(error?.cause);
    } else logRequest(outcome);
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
    if (outcome.status < 500 || outcome.error?.cause === undefined) return;
    log.error(failureFields(outcome), MESSAGE);
  };
}

/** Message of all lines of requests. */
const MESSAGE = "request";

const failureFields = (outcome: Outcome<Caller>): object => ({
  ...ownFieldsOf(outcome),
  ...commonFieldsOf(outcome),
  ...errorFields(outcome.error?.cause),
});

/** Fields of a log line that repeated requests share. */
interface CommonFields {
  readonly operation: string;
  readonly protocol: Protocol;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly principal: string | undefined;
  readonly reason: string | undefined;
}

function commonFieldsOf(outcome: Outcome<Caller>): CommonFields {
  const { operation = "none", protocol, httpMethod: method, target, status, caller, error } = outcome;
  const principal = caller && caller.kind !== "app" ? excerpt(caller.principal.name) : undefined;
  // The query is omitted, because it may contain data that does not belong in logs.
  return { operation, protocol, method, path: pathOf(target), status, principal, reason: error?.reason };
}

/** Fields of a log line that are different for each request. */
const ownFieldsOf = ({ requestId, durationMs }: Outcome<Caller>) => ({
  requestId,
  durationMs: Math.round(durationMs * 1000) / 1000,
});

/** Maximum number of paths for which the text of log lines is kept. */
const MAX_TEXTS = 1_000;
/** Maximum length of a request target for which the path is kept. Otherwise, the path could keep a long target in memory. */
const MAX_KNOWN_TARGET = 512;

/**
 * Returns a function that logs a request at level `info`. It formats the fields itself, and repeats the text of earlier
 * requests: pino, which formats each field separately, needs a tenth more processor time for a small read.
 */
function requestLogger(service: string, logger: ServerLogger): (outcome: Outcome<Caller>) => void {
  const texts = new LRUCache<string, { readonly fields: CommonFields; readonly text: string }>({
    max: MAX_TEXTS,
  });
  const textOf = (fields: CommonFields, isKept: boolean): string => {
    const known = texts.get(fields.path);
    if (known !== undefined && areEqual(known.fields, fields)) return known.text;
    const text = JSON.stringify({ service, ...fields, msg: MESSAGE }).slice(1, -1);
    if (isKept) texts.set(fields.path, { fields, text });
    return text;
  };
  return (outcome) => {
    const { requestId, durationMs } = ownFieldsOf(outcome);
    const text = textOf(commonFieldsOf(outcome), outcome.target.length <= MAX_KNOWN_TARGET);
    logger.writeInfo(`"requestId":"${requestId}","durationMs":${durationMs},${text}`);
  };
}

/** Returns true if requests with the same path also have all other common fields in common. */
const areEqual = (one: CommonFields, other: CommonFields): boolean =>
  one.operation === other.operation &&
  one.protocol === other.protocol &&
  one.method === other.method &&
  one.status === other.status &&
  one.principal === other.principal &&
  one.reason === other.reason;

/** Returns a request target's path. A long path is shortened to an excerpt. */
function pathOf(target: string): string {
  const end = target.indexOf("?");
  return excerpt(end < 0 ? target : target.slice(0, end));
}
