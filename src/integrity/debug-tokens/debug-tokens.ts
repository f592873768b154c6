import { createHash, randomUUID, timingSafeEqual } from "node:crypto";
import { type Json, RECORD_KINDS, type Records, type StoredRecord } from "../../control/records.js";
import { retryConflicts } from "../../control/retry-conflicts.js";
import type { Clock, UnixMillis } from "../../model/clock.js";
import type { AuditedKind } from "../../registry/audit/audit-log.js";
import type { AuditNote } from "../../registry/audit/audit-note.js";
import type { AppKey } from "../app-key.js";

/** Maximum number of debug tokens of an app: the same as in Firebase App Check. */
export const MAX_DEBUG_TOKENS = 20;

export interface StoredDebugToken {
  readonly id: string;
  readonly displayName: string;
  /** SHA-256 of the secret, in base64url. */
  readonly hash: string;
  readonly updateTime: UnixMillis;
}

type Tokens = readonly StoredDebugToken[];

const KIND = RECORD_KINDS.debugTokens;

/** Debug tokens of apps. All debug tokens of an app are in one record, so that their number cannot exceed the limit. */
export class DebugTokens {
  readonly #records: Pick<Records, "get" | "change">;
  readonly #clock: Clock;

  constructor(records: Pick<Records, "get" | "change">, clock: Clock) {
    this.#records = records;
    this.#clock = clock;
  }

  /**
   * Lists the debug tokens of an app, by id in byte order.
   *
   * @throws StoreUnavailableError if the record cannot be read.
   */
  async list(app: AppKey): Promise<Tokens> {
    return tokensOf(await this.#records.get(KIND, keyOf(app)));
  }

  /** Returns a debug token. @throws the same errors as {@link list}. */
  async find(app: AppKey, id: string): Promise<StoredDebugToken | undefined> {
    return (await this.list(app)).find((token) => token.id === id);
  }

  /**
   * Returns true if a secret belongs to a debug token of the app. Always compares the secret with all of them.
   *
   * @throws the same errors as {@link list}.
   */
  async accepts(app: AppKey, secret: string): Promise<boolean> {
    const hash = hashOf(secret);
    const matching = (await this.list(app)).filter((token) =>
      timingSafeEqual(hash, Buffer.from(token.hash, "base64url")),
    );
    return matching.length > 0;
  }

  /**
   * Adds a debug token.
   *
   * @returns `undefined` if the app has the maximum number of debug tokens, or already has one with this secret.
   * @throws StoreUnavailableError if it is unknown whether the token was stored.
   */
  create(
    app: AppKey,
    { displayName, secret }: { readonly displayName: string; readonly secret: string },
    note: AuditNote,
  ): Promise<StoredDebugToken | undefined> {
    const hash = hashOf(secret).toString("base64url");
    const token = { id: randomUUID(), displayName, hash, updateTime: this.#clock.wall() };
    return this.#change(app, note, (tokens) =>
      tokens.length >= MAX_DEBUG_TOKENS || tokens.some((other) => other.hash === hash)
        ? undefined
        : { tokens: [...tokens, token], result: token },
    );
  }

  /**
   * Renames a debug token.
   *
   * @returns `undefined` if the token does not exist.
   * @throws the same errors as {@link create}.
   */
  rename(
    app: AppKey,
    id: string,
    displayName: string,
    note: AuditNote,
  ): Promise<StoredDebugToken | undefined> {
    const updateTime = this.#clock.wall();
    return this.#change(app, note, (tokens) => {
      const found = tokens.find((token) => token.id === id);
      const result = found && { ...found, displayName, updateTime };
      return result && { tokens: tokens.map((token) => (token === found ? result : token)), result };
    });
  }

  /**
   * Deletes a debug token.
   *
   * @returns `undefined` if the token does not exist.
   * @throws the same errors as {@link create}.
   */
  delete(app: AppKey, id: string, note: AuditNote): Promise<StoredDebugToken | undefined> {
    return this.#change(app, note, (tokens) => {
      const result = tokens.find((token) => token.id === id);
      return result && { tokens: tokens.filter((token) => token !== result), result };
    });
  }

  async #change(
    app: AppKey,
    note: AuditNote,
    after: (tokens: Tokens) => { readonly tokens: Tokens; readonly result: StoredDebugToken } | undefined,
  ): Promise<StoredDebugToken | undefined> {
    const key = keyOf(app);
    return retryConflicts(`the debug tokens ${key}`, async () => {
      const found = await this.#records.get(KIND, key);
      const changed = after(tokensOf(found));
      if (changed === undefined) return { result: undefined };
      const { tokens, result } = changed;
      const change = {
        kind: KIND,
        key,
        value: tokens.length === 0 ? undefined : ({ tokens: tokens.toSorted(byId) } as unknown as Json),
        ifRevision: found?.revision ?? 0,
        note: { ...note, debugToken: result.id },
      };
      return (await this.#records.change([change])) === undefined ? undefined : { result };
    });
  }
}

/** Describes changes of debug tokens to the audit log. */
export const AUDITED_DEBUG_TOKENS: AuditedKind = {
  kind: KIND,
  resourceOf: (key) => {
    const [project, ...appId] = key.split("/");
    return `projects/${project}/apps/${appId.join("/")}/debugTokens`;
  },
  fieldsOf: (value) => {
    const { tokens } = value as unknown as { readonly tokens: Tokens };
    return { debugTokens: tokens.map(({ id, displayName }) => ({ id, displayName })) };
  },
  etagOf: () => undefined,
};

const tokensOf = (record: StoredRecord | undefined): Tokens =>
  record === undefined ? [] : (record.value as unknown as { readonly tokens: Tokens }).tokens;

const keyOf = ({ project, appId }: AppKey): string => `${project}/${appId}`;

/** Ids contain only ASCII characters. */
const byId = (a: StoredDebugToken, b: StoredDebugToken): number => (a.id < b.id ? -1 : 1);

/** Hashes a secret, regardless of case. Secrets are random, so they need no salt. */
const hashOf = (secret: string): Buffer => createHash("sha256").update(secret.toLowerCase()).digest();
