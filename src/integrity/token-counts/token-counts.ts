import { RECORD_KINDS, type Records } from "../../control/records.js";
import { retryConflicts } from "../../control/retry-conflicts.js";
import { type Clock, DAY_MS } from "../../model/clock.js";
import { type Day, LAST_DAY } from "../../model/day.js";
import { type AppKey, keyPrefix } from "../app-key.js";
import type { TokenProvider } from "../tokens/token-issuer.js";

const KIND = RECORD_KINDS.attestationTokenCount;
/** Number of days before the current one that are listed. */
const LISTED_DAYS = 90;
/** Time for which counts are kept after the last token of their day, in milliseconds. */
const KEPT_MS = LISTED_DAYS * DAY_MS;
/** Default time from the first unstored token to the next write, in milliseconds. */
const INTERVAL_MS = 2_000;

/** Maximum number of records that are changed simultaneously. */
const MAX_CONCURRENT = 16;

/** Outcome of an app token. */
export type TokenOutcome = "issued" | "rejected" | "reused";

/** Numbers of tokens of an app, by outcome. */
export type OutcomeCounts = Readonly<Record<TokenOutcome, number>>;

/** Numbers of tokens that an app got from one provider on one day. */
export interface TokenCount extends OutcomeCounts {
  /** The day in UTC. */
  readonly day: Day;
  readonly provider: TokenProvider;
  /** Id of the count, unique in the app. Later days have smaller ids. */
  readonly id: string;
}

export interface TokenCountsParts {
  readonly records: Pick<Records, "get" | "list" | "change">;
  /** Clock that determines the day on which a token is counted, and the listed days. */
  readonly clock: Clock;
  /** Clock by which records expire. */
  readonly machineClock: Clock;
  /** Returns true if an app is registered. Tokens of other apps are not counted. */
  readonly isRegistered: (app: AppKey) => boolean;
  /** Called if counts cannot be stored. They are added to the next write. Must not throw. */
  readonly onStoreError: (error: unknown) => void;
  /** Time from the first unstored token to the next write, in milliseconds; 2 seconds by default. */
  readonly intervalMs?: number;
}

/** Tokens of one record that are not stored yet. */
interface Pending {
  readonly app: AppKey;
  readonly counts: Record<TokenOutcome, number>;
}

/**
 * Counts app tokens by app, day and provider, for all processes together. Tokens are counted in memory and written
 * together every few seconds. A process that is killed loses the counts of these seconds.
 */
export class TokenCounts {
  readonly #parts: TokenCountsParts;
  /** Tokens that are not stored yet, by record key. */
  #pending = new Map<string, Pending>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(parts: TokenCountsParts) {
    this.#parts = parts;
  }

  /** Counts a token. The count is stored within a few seconds. */
  count(app: AppKey, provider: TokenProvider, outcome: TokenOutcome): void {
    this.#pendingOf(keyPrefix(app) + idOf(this.#today, provider), app).counts[outcome]++;
  }

  /**
   * Lists the stored counts of an app, latest day first.
   *
   * @param after id of the count after which the list starts.
   * @throws StoreUnavailableError if the records cannot be read.
   */
  async list(app: AppKey, after: string | undefined, limit: number): Promise<readonly TokenCount[]> {
    const prefix = keyPrefix(app);
    const range = { prefix, after: after === undefined ? undefined : prefix + after, limit };
    const found = await this.#parts.records.list(KIND, range);
    const first = this.#today - LISTED_DAYS;
    return found
      .map(({ key, value }) => {
        const id = key.slice(prefix.length);
        return { ...(value as unknown as OutcomeCounts), ...placeOf(id), id };
      })
      .filter(({ day }) => day >= first);
  }

  /** Stores all tokens counted so far. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  /** Stores all tokens counted so far. Tokens counted later are lost. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.flush();
  }

  get #today(): Day {
    return Math.floor(this.#parts.clock.wall() / DAY_MS);
  }

  #pendingOf(key: string, app: AppKey): Pending {
    const known = this.#pending.get(key);
    if (known !== undefined) return known;
    const pending = { app, counts: { ...NONE } };
    this.#pending.set(key, pending);
    const { intervalMs = INTERVAL_MS } = this.#parts;
    if (!this.#isClosed) this.#timer ??= setTimeout(() => void this.flush(), intervalMs).unref();
    return pending;
  }

  async #write(): Promise<void> {
    const pending = [...this.#pending];
    this.#pending = new Map();
    for (let start = 0; start < pending.length; start += MAX_CONCURRENT) {
      const some = pending.slice(start, start + MAX_CONCURRENT);
      await Promise.all(some.map(([key, counted]) => this.#store(key, counted)));
    }
  }

  async #store(key: string, { app, counts }: Pending): Promise<void> {
    const { isRegistered, onStoreError } = this.#parts;
    // The app or its project can have been purged since the token was counted.
    if (!isRegistered(app)) return;
    try {
      await this.#addToRecord(key, counts);
    } catch (error) {
      onStoreError(error);
      const pending = this.#pendingOf(key, app);
      Object.assign(pending.counts, sumOf(counts, pending.counts));
    }
  }

  async #addToRecord(key: string, counts: OutcomeCounts): Promise<void> {
    const { records, machineClock } = this.#parts;
    await retryConflicts(`the token counts ${key}`, async () => {
      const found = await records.get(KIND, key);
      const value = sumOf(counts, (found?.value as OutcomeCounts | undefined) ?? NONE);
      const expireTime = machineClock.wall() + KEPT_MS;
      const change = { kind: KIND, key, value: { ...value }, ifRevision: found?.revision ?? 0, expireTime };
      return (await records.change([change])) === undefined ? undefined : { result: undefined };
    });
  }
}

const NONE: OutcomeCounts = { issued: 0, rejected: 0, reused: 0 };

const sumOf = (a: OutcomeCounts, b: OutcomeCounts): OutcomeCounts => ({
  issued: a.issued + b.issued,
  rejected: a.rejected + b.rejected,
  reused: a.reused + b.reused,
});

/**
 * Ids contain the number of days until the last possible day, padded to a fixed length, so the latest day sorts first.
 */
const idOf = (day: Day, provider: TokenProvider): string =>
  `${String(LAST_DAY - day).padStart(DIGITS, "0")}-${provider}`;
const DIGITS = String(LAST_DAY).length;

function placeOf(id: string): Pick<TokenCount, "day" | "provider"> {
  const [until = "", provider] = [id.slice(0, DIGITS), id.slice(DIGITS + 1)];
  return { day: LAST_DAY - Number(until), provider: provider as TokenProvider };
}
