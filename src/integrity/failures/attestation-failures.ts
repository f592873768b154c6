import { randomBytes } from "node:crypto";
import type { ApiError } from "../../api/api-error.js";
import { RECORD_KINDS, type Records } from "../../control/records.js";
import { type Clock, DAY_MS, LAST_INSTANT, MINUTE_MS, type UnixMillis } from "../../model/clock.js";
import { type AppKey, keyPrefix } from "../app-key.js";
import { attestationFailed, type TokenProvider } from "../tokens/token-issuer.js";

const KIND = RECORD_KINDS.attestationFailure;
/** Time for which failures are listed, in milliseconds. */
const KEPT_MS = 7 * DAY_MS;
/**
 * Maximum number of failures of an app that a process stores in a minute. Further failures are only logged and counted.
 */
const MAX_STORED_A_MINUTE = 30;
/**
 * Record keys contain the time left until the last possible one, with this many digits, so the latest failure sorts
 * first.
 */
const DIGITS = String(LAST_INSTANT).length;

/** A reason why an app did not get a token. Its strings are limited in length and contain no secrets. */
export interface AttestationFailure {
  readonly provider: TokenProvider;
  /** Verification step that failed. */
  readonly step: string;
  readonly expected: string;
  readonly found: string;
}

export interface StoredFailure extends AttestationFailure {
  /** Id of the failure, unique in the app. Later failures have smaller ids. */
  readonly id: string;
  readonly time: UnixMillis;
}

export interface AttestationFailuresParts {
  readonly records: Pick<Records, "list" | "change">;
  /** Clock that determines the times of failures, and how long they are listed. */
  readonly clock: Clock;
  /** Clock by which records expire, and that limits how many failures are stored. */
  readonly machineClock: Clock;
  /** Called for each failure. Must not throw. */
  readonly onFailure: (app: AppKey, failure: AttestationFailure) => void;
  /** Called if a failure cannot be stored. Must not throw. */
  readonly onStoreError: (error: unknown) => void;
}

/**
 * Stores the reasons why apps did not get tokens, for operators. The apps themselves get the same error for each
 * reason.
 */
export class AttestationFailures {
  readonly #parts: AttestationFailuresParts;
  /** Number of failures stored in the current minute, by app. */
  #stored: { readonly minute: number; readonly counts: Map<string, number> } = {
    minute: 0,
    counts: new Map(),
  };

  constructor(parts: AttestationFailuresParts) {
    this.#parts = parts;
  }

  /** Records a failure. @returns the error to send to the app. It is the same for every failure. */
  async fail(app: AppKey, failure: AttestationFailure): Promise<ApiError> {
    const { records, clock, machineClock, onFailure, onStoreError } = this.#parts;
    onFailure(app, failure);
    const now = machineClock.wall();
    if (this.#maySave(app, now)) {
      const time = clock.wall();
      const id = `${String(LAST_INSTANT - time).padStart(DIGITS, "0")}-${randomBytes(4).toString("hex")}`;
      const change = {
        kind: KIND,
        key: keyPrefix(app) + id,
        value: { ...failure, time },
        expireTime: now + KEPT_MS,
      };
      await records.change([change]).catch(onStoreError);
    }
    return attestationFailed();
  }

  /**
   * Lists an app's failures in the last seven days, latest first.
   *
   * @param after lists only failures after the one with this id.
   * @throws StoreUnavailableError if the records cannot be read.
   */
  async list(app: AppKey, after: string | undefined, limit: number): Promise<readonly StoredFailure[]> {
    const { records, clock } = this.#parts;
    const prefix = keyPrefix(app);
    const range = { prefix, after: after === undefined ? undefined : prefix + after, limit };
    const found = await records.list(KIND, range);
    const since = clock.wall() - KEPT_MS;
    return found
      .map(({ key, value }) => {
        const stored = value as unknown as AttestationFailure & Pick<StoredFailure, "time">;
        return { ...stored, id: key.slice(prefix.length) };
      })
      .filter(({ time }) => time > since);
  }

  #maySave(app: AppKey, now: UnixMillis): boolean {
    const minute = Math.floor(now / MINUTE_MS);
    if (this.#stored.minute !== minute) this.#stored = { minute, counts: new Map() };
    const key = keyPrefix(app);
    const { counts } = this.#stored;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= MAX_STORED_A_MINUTE;
  }
}
