import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { MAX_JOURNAL_LINE_BYTES } from "../../limits/limits.js";
import { byBytes } from "../../model/by-bytes.js";
import { StoreOpenError, StoreUnavailableError } from "../../model/store-error.js";
import type {
  AppAttestConfigChange,
  AppAttestConfigStore,
  SetAppAttestConfig,
  StoredAppAttestConfig,
  TokenTtl,
} from "../app-attest-config-store.js";
import { CHANGES_FILE, ChangeHistory } from "./change-history.js";
import { type ChangeRecord, encodeRecord, readRecord } from "./change-record.js";
import { JournalFile } from "./journal-file.js";
import type { RegisteredProject } from "./static-registry.js";

/** Milliseconds for which a read need not know of the changes of other processes. */
const LOOK_INTERVAL = 1_000;

/** So often a change is tried when others come first each time, or spoil its line. */
const MOST_ATTEMPTS = 100;

/** What a {@link JournaledConfigStore} is made of. */
export interface JournaledConfigStoreOptions {
  /** What is registered, with the values that hold until somebody changes them. */
  readonly projects: readonly RegisteredProject[];
  /** The data directory. */
  readonly directory: string;
  /** Told when changes of other processes cannot be read; what was read before goes on to hold. */
  readonly onFailure: (error: unknown) => void;
  /** Told what is damaged among the lines that were read, if anything is: all at the start, later those that were added. */
  readonly onDamage: (damage: readonly JournalDamage[]) => void;
  /** Milliseconds for which a read need not know of the changes of other processes; a second by default. */
  readonly lookInterval?: number;
}

/** What is wrong with a line of the journal. */
export interface JournalDamage {
  /** Counts the lines of the journal, from 1. */
  readonly lineNumber: number;
  readonly problem: string;
}

/** A registered value that does not hold any more, because of a change. */
export interface OverriddenValue {
  readonly registered: TokenTtl;
  readonly change: ChangeRecord;
}

interface OwnChange {
  readonly id: string;
  config?: StoredAppAttestConfig;
}

/**
 * The registry's app-attestation configurations with the changes that were made to them, which are kept in a journal.
 * Several processes may have the same journal: a change is added with the next revision of its app, and holds if it is
 * the first with that revision; otherwise it is decided anew.
 */
export class JournaledConfigStore implements AppAttestConfigStore {
  readonly #options: JournaledConfigStoreOptions;
  readonly #journal: JournalFile;
  readonly #history = new ChangeHistory();
  /** Of the apps that are registered, by project number and app id. */
  readonly #configs = new Map<string, StoredAppAttestConfig>();
  /** The apps of each project, by number, in the order of their bytes. */
  readonly #appIds = new Map<string, readonly string[]>();
  #nextLook = 0;
  /** Ends with the last change that was asked for here. */
  #changes: Promise<unknown> = Promise.resolve();
  /** The change that is being added here, and what came of it. */
  #own: OwnChange | undefined;

  private constructor(options: JournaledConfigStoreOptions) {
    this.#options = options;
    this.#journal = new JournalFile(join(options.directory, CHANGES_FILE));
    for (const { number, apps } of options.projects) {
      this.#appIds.set(number, apps.map(({ id }) => id).sort(byBytes));
      for (const app of apps) this.#configs.set(`${number}/${app.id}`, app.appAttestConfig ?? {});
    }
  }

  /** @throws StoreOpenError if there is a journal that cannot be read. */
  static open(options: JournaledConfigStoreOptions): JournaledConfigStore {
    const store = new JournaledConfigStore(options);
    try {
      store.#readOn();
    } catch (cause) {
      const file = join(options.directory, CHANGES_FILE);
      throw new StoreOpenError(`the changes of configurations in ${file} cannot be read: ${String(cause)}`, {
        cause,
      });
    }
    return store;
  }

  /** The registered values that differ from those that hold. */
  overridden(): OverriddenValue[] {
    return this.#options.projects.flatMap(({ number, apps }) =>
      apps.flatMap(({ id, appAttestConfig }) => {
        const registered = appAttestConfig?.tokenTtl;
        const change = this.#history.latest(number, id);
        if (registered === undefined || change === undefined) return [];
        return isSame(registered, change.tokenTtl) ? [] : [{ registered, change }];
      }),
    );
  }

  async listApps(project: string): Promise<readonly string[]> {
    return this.#appIds.get(project) ?? [];
  }

  async find(project: string, appId: string): Promise<StoredAppAttestConfig | undefined> {
    this.#look();
    return this.#configs.get(`${project}/${appId}`);
  }

  async listSet(project: string): Promise<readonly SetAppAttestConfig[]> {
    this.#look();
    return (this.#appIds.get(project) ?? []).flatMap((appId) => {
      const config = this.#configs.get(`${project}/${appId}`);
      return config?.tokenTtl === undefined && config?.revision === undefined ? [] : [{ appId, config }];
    });
  }

  change(
    project: string,
    appId: string,
    change: AppAttestConfigChange,
  ): Promise<StoredAppAttestConfig | undefined> {
    const changing = this.#changes.then(() => this.#change(project, appId, change));
    this.#changes = changing.catch(() => {});
    return changing;
  }

  async #change(
    project: string,
    appId: string,
    { principal, updateMask, valuesAfter }: AppAttestConfigChange,
  ): Promise<StoredAppAttestConfig | undefined> {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      await orUnavailable(() => this.#readOn());
      const current = this.#configs.get(`${project}/${appId}`);
      if (current === undefined) return undefined;
      const { tokenTtl } = valuesAfter(current);
      const changed = await this.#add({
        id: randomUUID(),
        time: new Date().toISOString(),
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
    throw new StoreUnavailableError(`${MOST_ATTEMPTS} attempts to change ${appId} met other changes`);
  }

  /** Adds a change to the journal. @returns the configuration that it made; undefined if it does not hold. */
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

  /** Reads what other processes added, now and then. */
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
      const record = readRecord(line);
      const problem = typeof record === "string" ? `is no change: ${record}` : this.#take(record);
      if (problem !== undefined) damage.push({ lineNumber: line.number, problem });
    }
    if (damage.length > 0) this.#options.onDamage(damage);
  }

  /** Takes the next change of the journal. @returns what is missing before it, if anything is. */
  #take(record: ChangeRecord): string | undefined {
    const { project, appId, revision } = record;
    const before = this.#history.latest(project, appId)?.revision ?? 0;
    if (!this.#history.add(record)) return undefined;
    this.#apply(record);
    return revision > before + 1 ? `is revision ${revision} after ${before}` : undefined;
  }

  #apply({ id, project, appId, tokenTtl, revision }: ChangeRecord): void {
    const name = `${project}/${appId}`;
    // Changes of an app that is not registered any more are kept, for when it is again.
    if (!this.#configs.has(name)) return;
    const config = { tokenTtl, revision };
    this.#configs.set(name, config);
    if (this.#own?.id === id) this.#own.config = config;
  }
}

function isSame(a: TokenTtl, b: TokenTtl | undefined): boolean {
  return a.seconds === b?.seconds && a.nanos === b.nanos;
}

async function orUnavailable(work: () => void | Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    throw new StoreUnavailableError(`the journal of configurations failed: ${String(cause)}`, { cause });
  }
}
