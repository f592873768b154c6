import type { Caller } from "../api/caller.js";
import type { PlainRoute } from "../api/plain-route.js";
import type { ServiceImplementation } from "../api/service.js";
import type { Closable } from "./open-parts.js";

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
