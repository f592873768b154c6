import { create, fromJson, type JsonValue, toJson } from "@bufbuild/protobuf";
import { DurationSchema } from "@bufbuild/protobuf/wkt";
import { Followed } from "../control/followed.js";
import { type HistoryEntry, type Json, RECORD_KINDS, type Records } from "../control/records.js";
import { retryConflicts } from "../control/retry-conflicts.js";
import { AppAttestConfigSchema } from "../gen/waybill/integrity/v1/integrity_pb.js";
import { Budget } from "../limits/budget.js";
import { FairSlots } from "../limits/fair-slots.js";
import { MAX_ALL_WAITING, MAX_WAITING } from "../limits/request-limits.js";
import type { ProjectNumber } from "../model/names.js";
import type { AppAttestConfigValues, TokenTtl } from "../model/token-ttl.js";
import type { AuditedFields, AuditedKind } from "../registry/audit/audit-log.js";
import type { AuditNote } from "../registry/audit/audit-note.js";
import type { Registry } from "../registry/registry.js";
import { configName, durationJson, etagOf, type StoredAppAttestConfig } from "./config-resource.js";

export interface SetAppAttestConfig {
  readonly appId: string;
  readonly config: StoredAppAttestConfig;
}

export interface AppAttestConfigChange {
  readonly author: AuditNote;
  /** The update mask in ProtoJSON form, or `*`. */
  readonly updateMask: string;
  /** Returns the new values. An error that it throws rejects the change. May run again after another change. */
  valuesAfter(current: StoredAppAttestConfig): AppAttestConfigValues;
}

export interface ConfigChange {
  /** RFC 3339, in UTC. */
  readonly time: string;
  /** Name of the caller that made the change. */
  readonly principal: string;
  readonly project: ProjectNumber;
  readonly appId: string;
  /** Number of this change among the app's changes, from 1. */
  readonly revision: number;
  /** The update mask in ProtoJSON form, or `*`. */
  readonly updateMask: string;
  /** Lifetime of tokens after the change, in ProtoJSON; null for the default. */
  readonly tokenTtl: string | null;
  /** Lifetime of tokens before the change, in ProtoJSON; null for the default. */
  readonly previousTokenTtl: string | null;
}

export interface OverriddenValue {
  readonly registered: TokenTtl;
  readonly change: ConfigChange;
}

export interface AppAttestConfigsOptions {
  readonly records: Records;
  /** The registered apps, with the initial values. */
  readonly registry: Registry;
  /** Maximum time for which reads may miss changes of other processes, in milliseconds. */
  readonly maxStaleness?: number;
}

/** A record value: a configuration in ProtoJSON, and its number of changes. */
interface RecordedConfig {
  readonly config: Json;
  readonly revision: number;
}

/** Author of a change, for the history. */
interface ChangeNote extends AuditNote {
  readonly updateMask: string;
  /** Configuration before the change. It can come from the registry. */
  readonly previous: Json;
}

const KIND = RECORD_KINDS.appAttestConfig;
const ENTRIES_A_READ = 1_000;

/**
 * The registered apps and their App Attest configurations. Changed configurations are stored as records, and reads use
 * a local copy of the records.
 */
export class AppAttestConfigs {
  readonly #records: Records;
  readonly #registry: Registry;
  readonly #followed: Followed;
  /** Changed configurations by record key, with record revisions. Apps that are not registered are included. */
  #changed = new Map<string, { readonly config: StoredAppAttestConfig; readonly recordRevision: number }>();
  /** Revision up to which the local copy is complete. */
  #revision = 0;
  /** Queue that makes the changes of this process one at a time, and serves principals fairly. */
  readonly #changes: FairSlots;

  private constructor({ records, registry, maxStaleness }: AppAttestConfigsOptions) {
    this.#records = records;
    this.#registry = registry;
    this.#followed = new Followed(() => this.#readOn(), maxStaleness);
    records.onChange(KIND, () => this.#followed.changed());
    const slot = new Budget({ total: 1 });
    this.#changes = new FairSlots((principal) => slot.take(principal), {
      total: MAX_ALL_WAITING,
      each: MAX_WAITING,
    });
  }

  /** Reads all changed configurations. @throws StoreUnavailableError if the records cannot be read. */
  static async open(options: AppAttestConfigsOptions): Promise<AppAttestConfigs> {
    const configs = new AppAttestConfigs(options);
    await configs.#followed.upToDate();
    return configs;
  }

  /**
   * Returns an app's configuration. It is empty if nobody has set it, and `undefined` if the app is not registered.
   * A change replaces the returned object.
   *
   * @returns a promise if changes of other processes must be read first. It rejects with StoreUnavailableError if they
   * cannot be read.
   */
  find(
    project: ProjectNumber,
    appId: string,
  ): StoredAppAttestConfig | undefined | Promise<StoredAppAttestConfig | undefined> {
    const reading = this.#upToDate();
    return reading === undefined
      ? this.#find(project, appId)
      : reading.then(() => this.#find(project, appId));
  }

  /**
   * Lists the configurations that were set in a project, even to the default, in byte order of app ids.
   *
   * @throws the same errors as {@link find}.
   */
  async listSet(project: string): Promise<readonly SetAppAttestConfig[]> {
    await this.#upToDate();
    return this.#registry.apps(project).flatMap(({ id: appId }) => {
      const config = this.#find(project, appId);
      return config?.tokenTtl === undefined && config?.revision === undefined ? [] : [{ appId, config }];
    });
  }

  /**
   * Changes an app's configuration. The change survives a crash once this resolves. Changes of one app are serialized
   * across all processes.
   *
   * @param signal signal of the call that makes the change.
   * @returns the configuration after the change; `undefined` if the app is not registered.
   * @throws StoreUnavailableError if the change may not have been stored; the error of `valuesAfter`; NoSlotError;
   *   the reason of `signal` if it aborts while the change waits.
   */
  async change(
    project: string,
    appId: string,
    change: AppAttestConfigChange,
    signal?: AbortSignal,
  ): Promise<StoredAppAttestConfig | undefined> {
    const end = await this.#changes.take(change.author.principal, signal);
    return this.#change(project, appId, change).finally(end);
  }

  /**
   * Lists the registered values that changes have overridden with other values.
   *
   * @throws the same errors as {@link find}.
   */
  async overridden(): Promise<readonly OverriddenValue[]> {
    await this.#upToDate();
    const overridden: OverriddenValue[] = [];
    for (const key of this.#changed.keys()) {
      const { project, appId } = namesIn(key);
      const registered = this.#registry.app(project, appId)?.appAttestConfig.tokenTtl;
      const current = this.#find(project, appId)?.tokenTtl;
      if (registered === undefined || isSame(registered, current)) continue;
      const [entry] = await this.#records.history({ kinds: [KIND], key, newestFirst: true, limit: 1 });
      if (entry !== undefined) overridden.push({ registered, change: changeOf(entry) });
    }
    return overridden;
  }

  /** Waits for the changes of other processes. Returns `undefined` if the copies already have them. */
  #upToDate(): Promise<unknown> | undefined {
    const registry = this.#registry.upToDate();
    const configs = this.#followed.upToDate();
    if (registry === undefined) return configs;
    return configs === undefined ? registry : Promise.all([registry, configs]);
  }

  #find(project: string, appId: string): StoredAppAttestConfig | undefined {
    const app = this.#registry.app(project, appId);
    return app && (this.#changed.get(keyOf(project, appId))?.config ?? app.appAttestConfig);
  }

  async #change(
    project: string,
    appId: string,
    { author, updateMask, valuesAfter }: AppAttestConfigChange,
  ): Promise<StoredAppAttestConfig | undefined> {
    const key = keyOf(project, appId);
    return retryConflicts(`the configuration ${key}`, async () => {
      this.#followed.changed();
      await this.#upToDate();
      const current = this.#find(project, appId);
      if (current === undefined) return { result: undefined };
      const values = valuesAfter(current);
      const revision = (current.revision ?? 0) + 1;
      const value = { config: jsonOf(values), revision } satisfies RecordedConfig;
      const etagBefore = etagOf(nameOf(key), current);
      const note = {
        ...author,
        ...(etagBefore !== undefined && { etagBefore }),
        updateMask,
        previous: jsonOf(current),
      } satisfies ChangeNote;
      const ifRevision = this.#changed.get(key)?.recordRevision ?? 0;
      if ((await this.#records.change([{ kind: KIND, key, value, ifRevision, note }])) === undefined)
        return undefined;
      const { tokenTtl } = values;
      return { result: { ...(tokenTtl !== undefined && { tokenTtl }), revision } };
    });
  }

  async #readOn(): Promise<void> {
    let [changed, last] = [this.#changed, this.#revision];
    for await (const { isWhole, records, revision } of this.#records.changesSince(KIND, last)) {
      // A new copy is used once it is complete.
      if (isWhole) changed = new Map();
      for (const { key, value, revision: recordRevision } of records) {
        if (value === undefined) {
          changed.delete(key);
          continue;
        }
        const recorded = value as unknown as RecordedConfig;
        const config = { ...valuesOf(recorded.config), revision: recorded.revision };
        changed.set(key, { config, recordRevision });
      }
      last = revision;
    }
    this.#changed = changed;
    this.#revision = last;
  }
}

/** Reads all configuration changes, oldest first. @throws StoreUnavailableError if the records cannot be read. */
export async function readConfigChanges(records: Records): Promise<readonly ConfigChange[]> {
  const changes: ConfigChange[] = [];
  for (let after: HistoryEntry | undefined; ; ) {
    const entries = await records.history({ kinds: [KIND], after, limit: ENTRIES_A_READ });
    changes.push(...entries.map(changeOf));
    after = entries.at(-1);
    if (after === undefined) return changes;
  }
}

/** Describes configuration changes to the audit log. */
export const AUDITED_CONFIGS: AuditedKind = {
  kind: KIND,
  resourceOf: nameOf,
  fieldsOf: (value) => (value as { readonly config: AuditedFields }).config,
  etagOf: ({ key, value }) => {
    const { config, revision } = value as unknown as RecordedConfig;
    return etagOf(nameOf(key), { ...valuesOf(config), revision });
  },
  previousOf: ({ note }) => ({ config: (note as unknown as ChangeNote).previous }),
};

const keyOf = (project: string, appId: string): string => `${project}/${appId}`;

function namesIn(key: string): { readonly project: string; readonly appId: string } {
  const slash = key.indexOf("/");
  return { project: key.slice(0, slash), appId: key.slice(slash + 1) };
}

/** Returns the resource name for a record key. */
function nameOf(key: string): string {
  const { project, appId } = namesIn(key);
  return configName(project, appId);
}

function changeOf({ key, time, value, note }: HistoryEntry): ConfigChange {
  const { config, revision } = value as unknown as RecordedConfig;
  const { principal, updateMask, previous } = note as unknown as ChangeNote;
  return {
    time: new Date(time).toISOString(),
    principal,
    ...namesIn(key),
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

/** Reverses {@link jsonOf}. Accepts configurations that a later version has encoded. */
function valuesOf(json: Json): AppAttestConfigValues {
  const { tokenTtl } = fromJson(AppAttestConfigSchema, json as JsonValue, { ignoreUnknownFields: true });
  return tokenTtl === undefined ? {} : { tokenTtl: { seconds: tokenTtl.seconds, nanos: tokenTtl.nanos } };
}

const isSame = (a: TokenTtl, b: TokenTtl | undefined): boolean =>
  a.seconds === b?.seconds && a.nanos === b.nanos;
