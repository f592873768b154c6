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

/** Omitted if the local issuer is disabled. */
export interface ServerParts {
  readonly config: Config;
  readonly addresses: Addresses;
  readonly scopeNames: ScopeNames;
  /** `undefined` if disabled. */
  readonly localIssuer: LocalIssuer | undefined;
  /** State that is shared with the server's other processes. */
  readonly pageTokens: PageTokens;
  /** State shared with other processes. */
  readonly control: Control;
  /** Projects, apps and roles. */
  readonly registry: Registry;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** The machine's clock, for tokens, records and intervals. */
  readonly failures: FailureLog;
  /**
   * Clock that determines which days are accepted, listed and removed. It follows the machine's clock unless operators
   * set it.
   */
  readonly clock: Clock;
  /**
   * A running service. Must be closed only when no request is in progress. Closing it also ends its jobs and closes its
   * store.
   */
  readonly dayClock: AdjustableClock;
}

/** Routes on the service's port, in addition to the methods and API descriptions. */
export interface RunningService extends Closable {
  readonly implementation: ServiceImplementation<Caller>;
  /** Routes that the service adds to the admin listener. */
  readonly plainRoutes: readonly PlainRoute[];
  /** Rejects with the reason while the service cannot handle requests. */
  readonly adminRoutes: readonly PlainRoute[];
  /** Log message. It warns that the server may remove data early. */
  ready(): Promise<void>;
}
