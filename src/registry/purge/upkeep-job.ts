import type { LeaseStore } from "../../control/lease-store.js";
import { type Job, JobRunner, type NextRun } from "../../jobs/job-runner.js";
import type { UnixMillis } from "../../model/clock.js";
import type { Registry } from "../registry.js";
import { RegistryPurge } from "./registry-purge.js";

const INTERVAL_MS = 600_000;
/** Number of audit entries that a run removes. */
const ENTRIES_A_RUN = 1_000;

export interface UpkeepDependencies {
  readonly registry: Registry;
  readonly leases: LeaseStore;
  /** Returns the time that decides what to purge; `undefined` while it is unknown. */
  readonly time: () => Promise<UnixMillis | undefined>;
  /** Time for which audit entries are kept, in milliseconds. */
  readonly auditRetention: number;
  readonly observer: {
    /** Called after removed apps or audit entries were erased. */
    erased(counts: { readonly apps: number; readonly auditEntries: number }): void;
    /** Called after a failure. The job tries again. */
    failed(error: unknown): void;
  };
}

/** Erases removed apps after their purge time, and audit entries after their retention. */
export class UpkeepJob implements Job {
  readonly name = "registry-upkeep";
  readonly interval = INTERVAL_MS;
  readonly runner: JobRunner;
  readonly #dependencies: UpkeepDependencies;
  readonly #purge: RegistryPurge;

  constructor(dependencies: UpkeepDependencies) {
    this.#dependencies = dependencies;
    this.#purge = new RegistryPurge(dependencies.registry);
    this.runner = new JobRunner(this, dependencies.leases);
  }

  async run(): Promise<NextRun> {
    const { registry, time, auditRetention, observer } = this.#dependencies;
    const now = await time();
    if (now === undefined) return { after: INTERVAL_MS };
    const apps = await this.#purge.purgeApps(now);
    const auditEntries = await registry.records.removeHistory(now - auditRetention, ENTRIES_A_RUN);
    if (apps.length > 0 || auditEntries > 0) observer.erased({ apps: apps.length, auditEntries });
    return { after: auditEntries < ENTRIES_A_RUN ? INTERVAL_MS : 0 };
  }

  failed(error: unknown): void {
    this.#dependencies.observer.failed(error);
  }
}
