import { randomUUID } from "node:crypto";
import { StoreUnavailableError } from "../../model/store-error.js";
import type {
  AppAttestConfigChange,
  AppAttestConfigStore,
  SetAppAttestConfig,
  StoredAppAttestConfig,
} from "../app-attest-config-store.js";
import { ChangedConfigs, type OverriddenValue } from "../changed-configs.js";
import type { ChangeRecord } from "../file/change-record.js";
import type { RegisteredProject } from "../project-registry.js";
import { type ConfigRow, recordOf } from "./config-rows.js";
import { Followed } from "./followed.js";
import type { Notifications } from "./notifications.js";
import type { PostgresDatabase } from "./postgres-database.js";
import { readSql } from "./sql.js";

const CHANGE = readSql("change-config.sql");
const CHANGES_SINCE = readSql("config-changes-since.sql");

/** Attempts before a change that keeps losing to other writers fails. */
const MAX_ATTEMPTS = 100;

/** Reads all changes, oldest first. @throws StoreUnavailableError if that fails. */
export async function readConfigChanges(database: PostgresDatabase): Promise<readonly ChangeRecord[]> {
  return (await readFrom(database, "0")).map(recordOf);
}

/** Reads the changes from a number on. */
const readFrom = (database: PostgresDatabase, number: string): Promise<readonly ConfigRow[]> =>
  database.query("reading the changes of configurations", CHANGES_SINCE, [number]);

/** Options of a {@link PostgresConfigStore}. */
export interface PostgresConfigStoreOptions {
  readonly database: PostgresDatabase;
  readonly notifications: Notifications;
  /** The registry, with the values that apply until they are changed. */
  readonly projects: readonly RegisteredProject[];
  /** Longest time for which reads may miss changes of other processes, in milliseconds. */
  readonly maxStaleness?: number;
}

/**
 * The registry's app-attestation configurations with the changes made to them, which a table keeps. A change is stored
 * with the next revision of its app; if another one was first, it is decided again. Reads come from a copy.
 */
export class PostgresConfigStore implements AppAttestConfigStore {
  readonly #database: PostgresDatabase;
  readonly #projects: readonly RegisteredProject[];
  readonly #followed: Followed;
  #configs: ChangedConfigs;
  /** The last change in the copy. */
  #last: ConfigRow | undefined;

  constructor({ database, notifications, projects, maxStaleness }: PostgresConfigStoreOptions) {
    this.#database = database;
    this.#projects = projects;
    this.#configs = new ChangedConfigs(projects);
    this.#followed = new Followed(() => this.#readOn(), maxStaleness);
    notifications.on("configs", () => this.#followed.changed());
  }

  /** Opens the store and reads its changes. @throws StoreUnavailableError if they cannot be read. */
  static async open(options: PostgresConfigStoreOptions): Promise<PostgresConfigStore> {
    const store = new PostgresConfigStore(options);
    await store.#followed.upToDate();
    return store;
  }

  /** Lists the registered values that changes have overridden with other values. */
  overridden(): OverriddenValue[] {
    return this.#configs.overridden();
  }

  async listApps(project: string): Promise<readonly string[]> {
    return this.#configs.listApps(project);
  }

  async find(project: string, appId: string): Promise<StoredAppAttestConfig | undefined> {
    await this.#followed.upToDate();
    return this.#configs.find(project, appId);
  }

  async listSet(project: string): Promise<readonly SetAppAttestConfig[]> {
    await this.#followed.upToDate();
    return this.#configs.listSet(project);
  }

  async change(
    project: string,
    appId: string,
    { principal, updateMask, valuesAfter }: AppAttestConfigChange,
  ): Promise<StoredAppAttestConfig | undefined> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      this.#followed.changed();
      await this.#followed.upToDate();
      const current = this.#configs.find(project, appId);
      if (current === undefined) return undefined;
      const { tokenTtl } = valuesAfter(current);
      const revision = (current.revision ?? 0) + 1;
      const changed = await this.#database.query("changing a configuration", CHANGE, [
        randomUUID(),
        principal,
        project,
        appId,
        revision,
        updateMask,
        tokenTtl?.seconds,
        tokenTtl?.nanos,
        current.tokenTtl?.seconds,
        current.tokenTtl?.nanos,
      ]);
      this.#followed.changed();
      if (changed.length > 0) return { ...(tokenTtl !== undefined && { tokenTtl }), revision };
    }
    throw new StoreUnavailableError(`${MAX_ATTEMPTS} attempts to change ${appId} met other changes`);
  }

  async #readOn(): Promise<void> {
    const last = this.#last;
    let rows = await readFrom(this.#database, last?.number ?? "0");
    if (last !== undefined && rows[0]?.id === last.id) {
      rows = rows.slice(1);
    } else if (last !== undefined) {
      // The database has lost the last change, in a failover or by a restore, and perhaps others before it.
      rows = await readFrom(this.#database, "0");
      this.#configs = new ChangedConfigs(this.#projects);
      this.#last = undefined;
    }
    for (const row of rows) this.#configs.add(recordOf(row));
    this.#last = rows.at(-1) ?? this.#last;
  }
}
