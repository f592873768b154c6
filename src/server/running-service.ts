import type { Caller } from "../api/caller.js";
import type { PlainRoute } from "../api/plain-route.js";
import type { ServiceImplementation } from "../api/service.js";
import type { Closable } from "./open-parts.js";

/** A part of the server with routes of its own. It is closed when no request is in progress any more. */
export interface RunningPart extends Closable {
  /** Routes besides those of the contract. */
  readonly plainRoutes: readonly PlainRoute[];
  /** Rejects with the reason while the part cannot serve. */
  ready(): Promise<void>;
}

/** A running service of the contract. Closing it ends its jobs and closes its store. */
export interface RunningService extends RunningPart {
  readonly implementation: ServiceImplementation<Caller>;
}

/** Makes a part of routes that are always ready, and have nothing to close. */
export const routesOnly = (plainRoutes: readonly PlainRoute[]): RunningPart => ({
  plainRoutes,
  ready: async () => {},
  close: async () => {},
});
