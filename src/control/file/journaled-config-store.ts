import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { Budget } from "../../limits/budget.js";
import { FairTurns } from "../../limits/fair-turns.js";
import { MAX_ALL_WAITING, MAX_JOURNAL_LINE_BYTES, MAX_WAITING } from "../../limits/limits.js";
import { type Clock, systemClock } from "../../model/clock.js";
import { StoreOpenError, StoreUnavailableError } from "../../model/store-error.js";
import { systemReason } from "../../model/system-error.js";
import type {
  AppAttestConfigChange,
  AppAttestConfigStore,
  SetAppAttestConfig,
  StoredAppAttestConfig,
} from "../app-attest-config-store.js";
import { ChangedConfigs, type OverriddenValue } from "../changed-configs.js";
import type { RegisteredProject } from "../project-registry.js";
import { CHANGES_FILE } from "./change-history.js";
import { type ChangeRecord, encodeRecord } from "./change-record.js";
import { JournalFile } from "./journal-file.js";
import { type JournalDamage, readNext } from "./read-journal.js";

/** Longest time for which reads may miss changes of other processes, in milliseconds. */
const LOOK_INTERVAL = 1_000;

/** Attempts before a change that keeps losing to other writers fails. */
const MAX_ATTEMPTS = 100;

/** Options of a {@link JournaledConfigStore}. */
export interface JournaledConfigStoreOptions {
  /** The registry, with the values that apply until they are changed. */
  readonly projects: readonly RegisteredProject[];
  /** Data directory, which holds the journal. */
  readonly directory: string;
  readonly clock?: Clock;
  /** Called when changes of other processes cannot be read; what was read before stays in effect. */
  readonly onFailure: (error: unknown) => void;
  /**
   * Called with the damaged lines, if any: at the start with those of the whole journal, later with new ones.
   */
  readonly onDamage: (damage: readonly JournalDamage[]) => void;
  /** Longest time for which reads may miss changes of other processes, in milliseconds. */
  readonly lookInterval?: number;
}

interface OwnChange {
  readonly id: string;
  config?: StoredAppAttestConfig;
}

/**
 * The registry's app-attestation configurations with the changes made to them, which a journal keeps. Several
 * processes may share the journal: a change is appended with the next revision of its app, and takes effect
 * if it is the first with that revision; otherwise it is decided again.
 */
export class JournaledConfigStore implements AppAttestConfigStore {
  readonly #options: JournaledConfigStoreOptions;
  readonly #clock: Clock;
  readonly #journal: JournalFile;
  readonly #configs: ChangedConfigs;
  #nextLook = 0;
  /** Changes of this process, one at a time; principals share the slot. */
  readonly #changes: FairTurns;
  /** The change that this process is appending, and its outcome. */
  #own: OwnChange | undefined;

  private constructor(options: JournaledConfigStoreOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#journal = new JournalFile(join(options.directory, CHANGES_FILE));
    this.#configs = new ChangedConfigs(options.projects);
    const slot = new Budget({ total: 1 });
    this.#changes = new FairTurns((principal) => slot.take(principal), {
      total: MAX_ALL_WAITING,
      each: MAX_WAITING,
    });
  }

  /** @throws StoreOpenError if the journal exists and cannot be read. */
  static open(options: JournaledConfigStoreOptions): JournaledConfigStore {
    const store = new JournaledConfigStore(options);
    try {
      store.#readOn();
    } catch (cause) {
      const file = join(options.directory, CHANGES_FILE);
      throw new StoreOpenError(
        `the changes of configurations in ${file} cannot be read: ${systemReason(cause) ?? String(cause)}`,
        {
          cause,
        },
      );
    }
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
    this.#look();
    return this.#configs.find(project, appId);
  }

  async listSet(project: string): Promise<readonly SetAppAttestConfig[]> {
    this.#look();
    return this.#configs.listSet(project);
  }

  async change(
    project: string,
    appId: string,
    change: AppAttestConfigChange,
  ): Promise<StoredAppAttestConfig | undefined> {
    const end = await this.#changes.take(change.principal);
    return this.#change(project, appId, change).finally(end);
  }

  async #change(
    project: string,
    appId: string,
    { principal, updateMask, valuesAfter }: AppAttestConfigChange,
  ): Promise<StoredAppAttestConfig | undefined> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      await orUnavailable(() => this.#readOn());
      const current = this.#configs.find(project, appId);
      if (current === undefined) return undefined;
      const { tokenTtl } = valuesAfter(current);
      const changed = await this.#add({
        id: randomUUID(),
        time: new Date(this.#clock.wall()).toISOString(),
        principal,
        project,
        appId,
        revision: (current.revision ?? 0) + 1,
        updateMask,
        tokenTtl,
        previousTokenTtl: current.tokenTtl,
      });
      if (changed !== undefined) return changed;
    }
    throw new StoreUnavailableError(`${MAX_ATTEMPTS} attempts to change ${appId} met other changes`);
  }

  /**
   * Appends a change to the journal. @returns the resulting configuration; `undefined` if the change did not
   * take effect.
   */
  async #add(record: ChangeRecord): Promise<StoredAppAttestConfig | undefined> {
    const line = encodeRecord(record);
    if (Buffer.byteLength(line) > MAX_JOURNAL_LINE_BYTES)
      throw new Error("a change is longer than it may be");
    const own: OwnChange = { id: record.id };
    this.#own = own;
    await orUnavailable(async () => {
      await this.#journal.append(line);
      this.#readOn();
    });
    return own.config;
  }

  /** Reads the changes of other processes, if the last look was long enough ago. */
  #look(): void {
    const now = performance.now();
    if (now < this.#nextLook) return;
    this.#nextLook = now + (this.#options.lookInterval ?? LOOK_INTERVAL);
    try {
      this.#readOn();
    } catch (error) {
      this.#options.onFailure(error);
    }
  }

  #readOn(): void {
    const damage: JournalDamage[] = [];
    for (const line of this.#journal.newLines()) {
      const { change, problem } = readNext(this.#configs, line);
      if (change !== undefined) this.#noteOwn(change);
      if (problem !== undefined) damage.push({ lineNumber: line.number, problem });
    }
    if (damage.length > 0) this.#options.onDamage(damage);
  }

  #noteOwn({ id, project, appId }: ChangeRecord): void {
    const config = this.#configs.find(project, appId);
    if (this.#own?.id === id && config !== undefined) this.#own.config = config;
  }
}

async function orUnavailable(work: () => void | Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    throw new StoreUnavailableError(`the journal of configurations failed: ${String(cause)}`, { cause });
  }
}
