import type { Caller, Target } from "../callers/caller.js";
import type { Calls } from "../callers/calls.js";
import type { ChangeLedger } from "../expected/change-ledger.js";
import type { Traffic } from "../expected/traffic.js";
import type { Twins } from "../expected/twins.js";
import type { Disturbance } from "../faults/disturbance.js";
import type { Tally } from "../report/tally.js";
import type { Violations } from "../report/violations.js";
import type { ImportQueue } from "./import-queue.js";

/** State that all clients of a server share. */
export interface World {
  readonly target: Target;
  readonly callers: readonly Caller[];
  readonly calls: Calls;
  readonly tally: Tally;
  readonly violations: Violations;
  readonly disturbance: Disturbance;
  readonly queue: ImportQueue;
  readonly ledger: ChangeLedger;
  readonly twins: readonly Twins[];
  /** Traffic that is currently being imported. */
  growing: readonly Traffic[];
  /** Traffic that is completely imported and listed, and must not change. */
  readonly settled: Traffic[];
}

/** The resource name of an app of the messaging-data service. */
export const parentOf = (project: string, app: string): string => `projects/${project}/androidApps/${app}`;
