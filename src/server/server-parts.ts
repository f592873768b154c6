import type { Logger } from "pino";
import type { Caller } from "../api/caller.js";
import type { PlainRoute } from "../api/plain-route.js";
import type { ServiceImplementation } from "../api/service.js";
import type { ScopeNames } from "../auth/scopes.js";
import type { LocalIssuer } from "../auth/tokens/local-issuer.js";
import type { Control } from "../control/control.js";
import type { AdjustableClock, Clock } from "../model/clock.js";
import type { PageTokens } from "../paging/page-tokens.js";
import type { Addresses } from "./addresses.js";
import type { Config } from "./config/config-schema.js";
import type { Closable } from "./open-parts.js";
import type { FailureLog } from "./operators/failure-log.js";
import type { Metrics } from "./operators/metrics.js";

/** Parts of a server that its services share. */
export interface ServerParts {
  readonly config: Config;
  readonly addresses: Addresses;
  readonly scopeNames: ScopeNames;
  /** `undefined` if the configuration turns it off. */
  readonly localIssuer: LocalIssuer | undefined;
  /** Page tokens of the lists of both services. */
  readonly pageTokens: PageTokens;
  /** The state that this process shares with others. */
  readonly control: Control;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Log of failures of work that is tried again. */
  readonly failures: FailureLog;
  /** Time of the machine: of tokens, records and intervals. */
  readonly clock: Clock;
  /** Time by which days are accepted, listed and ended. It is that of the machine unless operators turn it. */
  readonly dayClock: AdjustableClock;
}

/** A running service of the contract. Closing it, when no request is in progress any more, ends its jobs and closes its store. */
export interface RunningService extends Closable {
  readonly implementation: ServiceImplementation<Caller>;
  /** Routes on its port besides those of the contract and its descriptions. */
  readonly plainRoutes: readonly PlainRoute[];
  /** Its routes on the admin listener. */
  readonly adminRoutes: readonly PlainRoute[];
  /** Rejects with the reason while the service cannot serve. */
  ready(): Promise<void>;
}
