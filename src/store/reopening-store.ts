import { setTimeout as sleep } from "node:timers/promises";
import type { Day } from "../model/day.js";
import { StoreBrokenError, StoreUnavailableError } from "../model/store-error.js";
import type { Store } from "./store.js";

/** Pause between two attempts to reopen the store, in milliseconds. */
const PAUSE = 1_000;

/**
 * A store that recovers from a permanent failure of its engine ({@link StoreBrokenError}): it closes the
 * store and tries to reopen it until that succeeds. Meanwhile every call fails with `StoreUnavailableError`,
 * including `check`.
 */
export class ReopeningStore implements Store {
  readonly #open: () => Promise<Store>;
  readonly #onFailure: (error: unknown) => void;
  #store: Store | undefined;
  /** The store that was opened last, even if it has failed since. */
  #latest: Store;
  /** Number of times that the store was reopened. */
  #reopenings = 0;
  #reopening: Promise<void> | undefined;
  #closed = false;

  private constructor(open: () => Promise<Store>, onFailure: (error: unknown) => void, store: Store) {
    this.#open = open;
    this.#onFailure = onFailure;
    this.#store = store;
    this.#latest = store;
  }

  /**
   * Opens the store for the first time.
   *
   * @param onFailure called with the reason for reopening the store, and with the error of each failed
   * attempt.
   * @throws the error of `open`.
   */
  static async open(
    open: () => Promise<Store>,
    onFailure: (error: unknown) => void,
  ): Promise<ReopeningStore> {
    return new ReopeningStore(open, onFailure, await open());
  }

  readonly append: Store["append"] = (...call) => this.#use((store) => store.append(...call));
  readonly isEmpty: Store["isEmpty"] = () => this.#use((store) => store.isEmpty());
  readonly staleProjects: Store["staleProjects"] = (...call) =>
    this.#use((store) => store.staleProjects(...call));
  readonly staleDays: Store["staleDays"] = (...call) => this.#use((store) => store.staleDays(...call));
  readonly rollUp: Store["rollUp"] = (...call) => this.#use((store) => store.rollUp(...call));
  readonly readEntries: Store["readEntries"] = (...call) => this.#use((store) => store.readEntries(...call));
  readonly sumEntries: Store["sumEntries"] = (...call) => this.#use((store) => store.sumEntries(...call));
  readonly readHistories: Store["readHistories"] = (...call) =>
    this.#use((store) => store.readHistories(...call));
  readonly digestCounts: Store["digestCounts"] = (...call) =>
    this.#use((store) => store.digestCounts(...call));
  readonly listApps: Store["listApps"] = (...call) => this.#use((store) => store.listApps(...call));
  readonly publish: Store["publish"] = (...call) => this.#use((store) => store.publish(...call));
  readonly keepAnswer: Store["keepAnswer"] = (...call) => this.#use((store) => store.keepAnswer(...call));
  readonly readAnswers: Store["readAnswers"] = (...call) => this.#use((store) => store.readAnswers(...call));
  readonly keepVersions: Store["keepVersions"] = (...call) =>
    this.#use((store) => store.keepVersions(...call));
  readonly readVersions: Store["readVersions"] = (...call) =>
    this.#use((store) => store.readVersions(...call));
  readonly figures: Store["figures"] = () => this.#use((store) => store.figures());
  readonly snapshot: Store["snapshot"] = (...call) => this.#use((store) => store.snapshot(...call));
  readonly seal: Store["seal"] = (...call) => this.#use((store) => store.seal(...call));
  readonly expiredProjects: Store["expiredProjects"] = (...call) =>
    this.#use((store) => store.expiredProjects(...call));
  readonly expiredDays: Store["expiredDays"] = (...call) => this.#use((store) => store.expiredDays(...call));
  readonly removeExpired: Store["removeExpired"] = (...call) =>
    this.#use((store) => store.removeExpired(...call));
  readonly hasImportQuorum: Store["hasImportQuorum"] = () => this.#use((store) => store.hasImportQuorum());
  readonly check: Store["check"] = () => this.#use((store) => store.check());

  get rollUpMs(): number | undefined {
    return this.#latest.rollUpMs;
  }

  get countsWholeDays(): boolean | undefined {
    return this.#latest.countsWholeDays;
  }

  /** Keeps its answer while the store is reopened, and changes it once the store is open again. */
  async version(project: string, until: Day): Promise<string> {
    return `${this.#reopenings}/${await this.#latest.version(project, until)}`;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#reopening;
    await this.#store?.close();
  }

  async #use<T>(work: (store: Store) => Promise<T>): Promise<T> {
    const store = this.#store;
    if (store === undefined) throw new StoreUnavailableError("the store is being opened again");
    try {
      return await work(store);
    } catch (error) {
      if (error instanceof StoreBrokenError && store === this.#store && !this.#closed) {
        this.#store = undefined;
        this.#onFailure(error);
        this.#reopening = this.#reopen(store);
      }
      throw error;
    }
  }

  async #reopen(broken: Store): Promise<void> {
    await broken.close().catch(this.#onFailure);
    while (!this.#closed) {
      try {
        const store = await this.#open();
        this.#reopenings++;
        this.#latest = store;
        this.#store = store;
        return;
      } catch (error) {
        this.#onFailure(error);
        await sleep(PAUSE);
      }
    }
  }
}
