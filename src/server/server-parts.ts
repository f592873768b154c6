import type { Logger } from "pino";
import type { Caller } from "../api/caller.js";
import type { PlainRoute } from "../api/plain-route.js";
import type { ServiceImplementation } from "../api/service.js";
import type { ScopeNames } from "../auth/scopes.js";
import type { LocalIssuer } from "../auth/tokens/local-issuer.js";
import type { Control } from "../control/control.js";
import type { AdjustableClock, Clock } from "../model/clock.js";
import type { PageTokens } from "../paging/page-tokens.js";
import type { Registry } from "../registry/registry.js";
import type { Addresses } from "./addresses.js";
import type { Config } from "./config/config-schema.js";
import type { Closable } from "./open-parts.js";
import type { FailureLog } from "./operators/failure-log.js";
import type { Metrics } from "./operators/metrics.js";

/** Server parts that the services share. */
export interface ServerParts {
  readonly config: Config;
  readonly addresses: Addresses;
  readonly scopeNames: ScopeNames;
  /** `undefined` if disabled. */
  readonly localIssuer: LocalIssuer | undefined;
  /** Page tokens for the lists of all services. */
  readonly pageTokens: PageTokens;
  /** State shared with other processes. */
  readonly control: Control;
  /** Projects, apps and roles. */
  readonly registry: Registry;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Logs failures of work that is retried. */
  readonly failures: FailureLog;
  /** Machine clock, for tokens, records and intervals. */
  readonly clock: Clock;
  /**
   * Clock that decides which days are accepted, listed and ended. It follows the machine clock unless operators set
   * it.
   */
  readonly dayClock: AdjustableClock;
}

/** A running service. Closing it ends its jobs and closes its store. Close it only when no request is in progress. */
export interface RunningService extends Closable {
  readonly implementation: ServiceImplementation<Caller>;
  /** Routes on its port besides the contract's methods and descriptions. */
  readonly plainRoutes: readonly PlainRoute[];
  /** Its routes on the admin listener. */
  readonly adminRoutes: readonly PlainRoute[];
  /** Rejects with the reason while the service cannot serve. */
  ready(): Promise<void>;
}
