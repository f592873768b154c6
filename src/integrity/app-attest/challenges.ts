import { randomBytes } from "node:crypto";
import { RECORD_KINDS, type RecordChange, type Records } from "../../control/records.js";
import type { Clock, UnixMillis } from "../../model/clock.js";
import { type AppKey, keyPrefix } from "../app-key.js";

/** Lifetime of a challenge, in seconds: the same as in Firebase App Check. */
export const CHALLENGE_TTL_SECONDS = 300;
const TTL_MS = CHALLENGE_TTL_SECONDS * 1_000;
const CHALLENGE_BYTES = 32;

const KIND = RECORD_KINDS.appAttestChallenge;

interface StoredChallenge {
  /** Expiry by the server clock, which operators can set. The record itself expires by the machine clock. */
  readonly expireTime: UnixMillis;
}

/** Challenges, shared by all processes. Each can be used in one exchange. */
export class Challenges {
  readonly #records: Pick<Records, "get" | "change">;
  readonly #clock: Clock;
  readonly #machineClock: Clock;

  /** @param machineClock clock by which records expire. */
  constructor(records: Pick<Records, "get" | "change">, clock: Clock, machineClock: Clock) {
    this.#records = records;
    this.#clock = clock;
    this.#machineClock = machineClock;
  }

  /** Creates a challenge. @throws StoreUnavailableError if it is unknown whether the challenge was stored. */
  async create(app: AppKey): Promise<Buffer> {
    const challenge = randomBytes(CHALLENGE_BYTES);
    const value = { expireTime: this.#clock.wall() + TTL_MS } satisfies StoredChallenge;
    const expireTime = this.#machineClock.wall() + TTL_MS;
    const change = { kind: KIND, key: keyOf(app, challenge), value, ifRevision: 0, expireTime };
    if ((await this.#records.change([change])) === undefined)
      throw new Error("a random challenge already exists");
    return challenge;
  }

  /**
   * Finds a challenge that no exchange has used yet.
   *
   * @returns the change that marks the challenge as used, which succeeds only once; `undefined` if there is no such
   * challenge.
   * @throws StoreUnavailableError if the record cannot be read.
   */
  async find(app: AppKey, challenge: Uint8Array): Promise<RecordChange | undefined> {
    if (challenge.length !== CHALLENGE_BYTES) return undefined;
    const key = keyOf(app, challenge);
    const record = await this.#records.get(KIND, key);
    if (record === undefined) return undefined;
    const { expireTime } = record.value as unknown as StoredChallenge;
    if (expireTime <= this.#clock.wall()) return undefined;
    return { kind: KIND, key, value: undefined, ifRevision: record.revision };
  }
}

const keyOf = (app: AppKey, challenge: Uint8Array): string =>
  keyPrefix(app) + Buffer.from(challenge).toString("base64url");
