import { create, fromJson, type JsonValue, toJson } from "@bufbuild/protobuf";
import { DurationSchema } from "@bufbuild/protobuf/wkt";
import { AppAttestConfigSchema } from "../gen/waybill/integrity/v1/integrity_pb.js";
import { Budget } from "../limits/budget.js";
import { FairTurns } from "../limits/fair-turns.js";
import { MAX_ALL_WAITING, MAX_WAITING } from "../limits/limits.js";
import { byBytes } from "../model/collections.js";
import { StoreUnavailableError } from "../model/store-error.js";
import { Followed } from "./followed.js";
import type { AppAttestConfigValues, RegisteredProject, TokenTtl } from "./project-registry.js";
import { type HistoryEntry, type Json, RECORD_KINDS, type Records } from "./records.js";

/** The stored configuration of an app. */
export interface StoredAppAttestConfig extends AppAttestConfigValues {
  /** Number of changes so far; missing before the first, when the values are those of the registry. */
  readonly revision?: number | undefined;
}

/** An app with its stored configuration. */
export interface SetAppAttestConfig {
  readonly appId: string;
  readonly config: StoredAppAttestConfig;
}

/** A requested change of a configuration. */
export interface AppAttestConfigChange {
  /** Name of the caller. */
  readonly principal: string;
  /** The update mask in ProtoJSON form, or `*`. */
  readonly updateMask: string;
  /**
   * Returns the new values for the current configuration. An error that it throws rejects the change.
   * Called again when another change came first.
   */
  valuesAfter(current: StoredAppAttestConfig): AppAttestConfigValues;
}

/** A change that was made. */
export interface ConfigChange {
  /** RFC 3339, in UTC. */
  readonly time: string;
  /** Name of the caller that made the change. */
  readonly principal: string;
  /** Project number, in decimal. */
  readonly project: string;
  readonly appId: string;
  /** Number of this change among those of the app, from 1. */
  readonly revision: number;
  /** The update mask in ProtoJSON form, or `*`. */
  readonly updateMask: string;
  /** The value after the change, in ProtoJSON; null stands for the default. */
  readonly tokenTtl: string | null;
  /** The value before the change, likewise. */
  readonly previousTokenTtl: string | null;
}

/** A registered value that a change has overridden. */
export interface OverriddenValue {
  readonly registered: TokenTtl;
  readonly change: ConfigChange;
}

/** Options of {@link AppAttestConfigs}. */
export interface AppAttestConfigsOptions {
  readonly records: Records;
  /** The registry, with the values that apply until they are changed. */
  readonly projects: readonly RegisteredProject[];
  /** Longest time for which reads may miss changes of other processes, in milliseconds. */
  readonly maxStaleness?: number;
}

/** A record value: a configuration in ProtoJSON, and how often it was changed. */
interface RecordedConfig {
  readonly config: Json;
  readonly revision: number;
}

/** Who made a change, for the history. */
interface ChangeNote {
  readonly principal: string;
  readonly updateMask: string;
  /** The configuration before the change, which the registry may have set. */
  readonly previous: Json;
}

const KIND = RECORD_KINDS.appAttestConfig;
/** Attempts before a change that keeps losing to other writers fails. */
const MAX_ATTEMPTS = 100;
const ENTRIES_A_READ = 1_000;

/**
 * The registered apps and their app-attestation configurations. Configurations that a caller has changed are records. Reads
 * come from a copy in this process.
 */
export class AppAttestConfigs {
  readonly #records: Records;
  readonly #projects: readonly RegisteredProject[];
  readonly #followed: Followed;
  /** Registered configurations by record key. */
  readonly #registered = new Map<string, StoredAppAttestConfig>();
  /** The app ids of each project, by project number, in byte order. */
  readonly #appIds = new Map<string, readonly string[]>();
  /** Changed configurations by record key, with record revisions. Apps that are not registered are included. */
  #changed = new Map<string, { readonly config: StoredAppAttestConfig; readonly recordRevision: number }>();
  /** Revision up to which the copy is complete. */
  #revision = 0;
  /** Changes of this process, one at a time; principals share the slot. */
  readonly #changes: FairTurns;

  private constructor({ records, projects, maxStaleness }: AppAttestConfigsOptions) {
    this.#records = records;
    this.#projects = projects;
    for (const { number, apps } of projects) {
      this.#appIds.set(number, apps.map(({ id }) => id).sort(byBytes));
      for (const app of apps) this.#registered.set(keyOf(number, app.id), app.appAttestConfig ?? {});
    }
    this.#followed = new Followed(() => this.#readOn(), maxStaleness);
    records.onChange(KIND, () => this.#followed.changed());
    const slot = new Budget({ total: 1 });
    this.#changes = new FairTurns((principal) => slot.take(principal), {
      total: MAX_ALL_WAITING,
      each: MAX_WAITING,
    });
  }

  /** Reads all changes. @throws StoreUnavailableError if they cannot be read. */
  static async open(options: AppAttestConfigsOptions): Promise<AppAttestConfigs> {
    const configs = new AppAttestConfigs(options);
    await configs.#followed.upToDate();
    return configs;
  }

  /** Lists the ids of all registered apps in a project, in byte order. */
  async listApps(project: string): Promise<readonly string[]> {
    return this.#appIds.get(project) ?? [];
  }

  /**
   * Returns an app's configuration, empty if it was never set; `undefined` if the app is not registered. Each
   * app has its own object, and a change replaces that object.
   *
   * @param project project number, in decimal.
   * @throws StoreUnavailableError if the changes of other processes cannot be read.
   */
  async find(project: string, appId: string): Promise<StoredAppAttestConfig | undefined> {
    await this.#followed.upToDate();
    return this.#find(keyOf(project, appId));
  }

  /**
   * Lists a project's configurations that were set, even to the default, in byte order of app ids.
   *
   * @throws as {@link find}.
   */
  async listSet(project: string): Promise<readonly SetAppAttestConfig[]> {
    await this.#followed.upToDate();
    return (this.#appIds.get(project) ?? []).flatMap((appId) => {
      const config = this.#find(keyOf(project, appId));
      return config?.tokenTtl === undefined && config?.revision === undefined ? [] : [{ appId, config }];
    });
  }

  /**
   * Changes an app's configuration. The change survives a crash once this resolves. Changes of one app
   * are serialized, across all processes.
   *
   * @param signal of the call that needs the change.
   * @returns the configuration after the change; `undefined` if the app is not registered.
   * @throws StoreUnavailableError if the change may not have been stored; the error that `valuesAfter` throws; NoSlotError,
   * or the reason of `signal` if it aborts while the change waits for others.
   */
  async change(
    project: string,
    appId: string,
    change: AppAttestConfigChange,
    signal?: AbortSignal,
  ): Promise<StoredAppAttestConfig | undefined> {
    const end = await this.#changes.take(change.principal, signal);
    return this.#change(keyOf(project, appId), change).finally(end);
  }

  /** Lists the registered values that changes have overridden with other values. @throws as {@link find}. */
  async overridden(): Promise<readonly OverriddenValue[]> {
    await this.#followed.upToDate();
    const overridden: OverriddenValue[] = [];
    for (const { number, apps } of this.#projects) {
      for (const { id, appAttestConfig } of apps) {
        const registered = appAttestConfig?.tokenTtl;
        const key = keyOf(number, id);
        const current = this.#find(key)?.tokenTtl;
        if (registered === undefined || isSame(registered, current)) continue;
        const [entry] = await this.#records.history({ kinds: [KIND], key, newestFirst: true, limit: 1 });
        if (entry !== undefined) overridden.push({ registered, change: changeOf(entry) });
      }
    }
    return overridden;
  }

  #find(key: string): StoredAppAttestConfig | undefined {
    const registered = this.#registered.get(key);
    return registered && (this.#changed.get(key)?.config ?? registered);
  }

  async #change(
    key: string,
    { principal, updateMask, valuesAfter }: AppAttestConfigChange,
  ): Promise<StoredAppAttestConfig | undefined> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      this.#followed.changed();
      await this.#followed.upToDate();
      const current = this.#find(key);
      if (current === undefined) return undefined;
      const values = valuesAfter(current);
      const revision = (current.revision ?? 0) + 1;
      const value = { config: jsonOf(values), revision } satisfies RecordedConfig;
      const note = { principal, updateMask, previous: jsonOf(current) } satisfies ChangeNote;
      const ifRevision = this.#changed.get(key)?.recordRevision ?? 0;
      if ((await this.#records.change([{ kind: KIND, key, value, ifRevision, note }])) === undefined)
        continue;
      const { tokenTtl } = values;
      return { ...(tokenTtl !== undefined && { tokenTtl }), revision };
    }
    throw new StoreUnavailableError(
      `${MAX_ATTEMPTS} attempts to change the configuration ${key} met other changes`,
    );
  }

  async #readOn(): Promise<void> {
    const { isWhole, records, revision } = await this.#records.changesSince(KIND, this.#revision);
    if (isWhole) this.#changed = new Map();
    for (const { key, value, revision: recordRevision } of records) {
      const { config, revision } = value as unknown as RecordedConfig;
      this.#changed.set(key, { config: { ...valuesOf(config), revision }, recordRevision });
    }
    this.#revision = revision;
  }
}

/** Reads all changes of configurations, oldest first. @throws StoreUnavailableError if they cannot be read. */
export async function readConfigChanges(records: Records): Promise<readonly ConfigChange[]> {
  const changes: ConfigChange[] = [];
  for (let after: HistoryEntry | undefined; ; ) {
    const entries = await records.history({ kinds: [KIND], after, limit: ENTRIES_A_READ });
    changes.push(...entries.map(changeOf));
    after = entries.at(-1);
    if (after === undefined) return changes;
  }
}

/** Formats a duration as ProtoJSON, such as `3600s`; null if the value is missing. */
export function durationJson(ttl: TokenTtl | undefined): string | null {
  const { seconds, nanos } = ttl ?? {};
  return seconds === undefined
    ? null
    : toJson(DurationSchema, create(DurationSchema, { seconds, nanos: nanos ?? 0 }));
}

const keyOf = (project: string, appId: string): string => `${project}/${appId}`;

function changeOf({ key, time, value, note }: HistoryEntry): ConfigChange {
  const slash = key.indexOf("/");
  const { config, revision } = value as unknown as RecordedConfig;
  const { principal, updateMask, previous } = note as unknown as ChangeNote;
  return {
    time: new Date(time).toISOString(),
    principal,
    project: key.slice(0, slash),
    appId: key.slice(slash + 1),
    revision,
    updateMask,
    tokenTtl: durationJson(valuesOf(config).tokenTtl),
    previousTokenTtl: durationJson(valuesOf(previous).tokenTtl),
  };
}

/** Encodes a configuration in ProtoJSON. */
function jsonOf({ tokenTtl }: AppAttestConfigValues): Json {
  const message = create(AppAttestConfigSchema, tokenTtl && { tokenTtl: create(DurationSchema, tokenTtl) });
  return toJson(AppAttestConfigSchema, message) as Json;
}

/** Reverses {@link jsonOf}, also if a later version has encoded the configuration. */
function valuesOf(json: Json): AppAttestConfigValues {
  const { tokenTtl } = fromJson(AppAttestConfigSchema, json as JsonValue, { ignoreUnknownFields: true });
  return tokenTtl === undefined ? {} : { tokenTtl: { seconds: tokenTtl.seconds, nanos: tokenTtl.nanos } };
}

const isSame = (a: TokenTtl, b: TokenTtl | undefined): boolean =>
  a.seconds === b?.seconds && a.nanos === b.nanos;
