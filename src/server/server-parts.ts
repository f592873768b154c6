import type { Caller } from "../api/caller.js";
import type { PlainRoute } from "../api/plain-route.js";
import type { ServiceImplementation } from "../api/service.js";
import type { ScopeNames } from "../auth/scopes.js";
import type { LocalIssuer } from "../auth/tokens/local-issuer.js";
import type { Control } from "../control/control.js";
import type { PrincipalCalls } from "../limits/principal-calls.js";
import type { AdjustableClock, Clock } from "../model/clock.js";
import type { PageTokens } from "../paging/page-tokens.js";
import type { Registry } from "../registry/registry.js";
import type { Addresses } from "./addresses.js";
import type { Config } from "./config/config-schema.js";
import type { Closable } from "./open-parts.js";
import type { FailureLog } from "./operators/failure-log.js";
import type { ServerLogger } from "./operators/logger.js";
import type { Metrics } from "./operators/metrics.js";

/** Parts of the server that its services share. */
export interface ServerParts {
  readonly config: Config;
  readonly addresses: Addresses;
  readonly scopeNames: ScopeNames;
  /** `undefined` if the local issuer is disabled. */
  readonly localIssuer: LocalIssuer | undefined;
  /** Page tokens for the lists of all services. */
  readonly pageTokens: PageTokens;
  /** State that is shared with the server's other processes. */
  readonly control: Control;
  /** Projects, apps and roles. */
  readonly registry: Registry;
  /** Calls by principals, to all services. */
  readonly principalCalls: PrincipalCalls;
  readonly metrics: Metrics;
  readonly logger: ServerLogger;
  /** Logs failures of work that is tried again. */
  readonly failures: FailureLog;
  /** The machine's clock, for tokens, records and intervals. */
  readonly clock: Clock;
  /**
   * Clock that determines which days are accepted, listed and removed. It follows the machine's clock unless operators
   * set it.
   */
  readonly dayClock: AdjustableClock;
}

/**
 * A running service. Must be closed only when no request is in progress. Closing it also ends its jobs and closes its
 * store.
 */
export interface RunningService extends Closable {
  readonly implementation: ServiceImplementation<Caller>;
  /** Routes on the service's port, in addition to the methods and API descriptions. */
  readonly plainRoutes: readonly PlainRoute[];
  /** Routes that the service adds to the admin listener. */
  readonly adminRoutes: readonly PlainRoute[];
  /** Rejects with the reason while the service cannot handle requests. */
  ready(): Promise<void>;
}
