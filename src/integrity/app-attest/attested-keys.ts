import {
  type Json,
  RECORD_KINDS,
  type RecordChange,
  type Records,
  type StoredRecord,
} from "../../control/records.js";
import type { UnixMillis } from "../../model/clock.js";
import type { AuditedFields, AuditedKind } from "../../registry/audit/audit-log.js";
import type { AuditNote } from "../../registry/audit/audit-note.js";
import type { AttestationEnvironment } from "../../registry/entries.js";
import { type AppKey, keyPrefix } from "../app-key.js";

export interface AttestedKey {
  /** Key id in base64url. */
  readonly keyId: string;
  /** Compressed point on P-256, in base64url. */
  readonly point: string;
  /** Counter of the last assertion; 0 before the first. */
  readonly counter: number;
  readonly environment: AttestationEnvironment;
  readonly createTime: UnixMillis;
}

export interface StoredAttestedKey extends AttestedKey {
  readonly revision: number;
}

const KIND = RECORD_KINDS.attestedKey;

/** Value of a key's record. It is short, because an app can have millions of keys. */
type StoredValue = readonly [
  point: string,
  counter: number,
  environment: AttestationEnvironment,
  createTime: UnixMillis,
];

/** Attested keys, shared by all processes. Each key has its own record, because an app can have millions of keys. */
export class AttestedKeys {
  readonly #records: Pick<Records, "get" | "list" | "change">;

  constructor(records: Pick<Records, "get" | "list" | "change">) {
    this.#records = records;
  }

  /** Finds a key. @throws StoreUnavailableError if the record cannot be read. */
  async find(app: AppKey, keyId: string): Promise<StoredAttestedKey | undefined> {
    const record = await this.#records.get(KIND, keyPrefix(app) + keyId);
    return record && storedKey(app, record);
  }

  /** Lists an app's keys after a key id, by key id in byte order. @throws the same errors as {@link find}. */
  async list(app: AppKey, after: string | undefined, limit: number): Promise<readonly StoredAttestedKey[]> {
    const prefix = keyPrefix(app);
    const records = await this.#records.list(KIND, { prefix, after: after && prefix + after, limit });
    return records.map((record) => storedKey(app, record));
  }

  /**
   * Revokes a key.
   *
   * @returns false if the key does not exist.
   * @throws StoreUnavailableError if the record cannot be deleted.
   */
  async delete(app: AppKey, keyId: string, note: AuditNote): Promise<boolean> {
    const found = await this.find(app, keyId);
    if (found === undefined) return false;
    const key = keyPrefix(app) + keyId;
    const revoked = { ...note, revoked: fieldsOf(found) };
    await this.#records.change([
      { kind: KIND, key, value: undefined },
      { kind: REVOCATION, key, value: undefined, note: revoked },
    ]);
    return true;
  }
}

/** This kind has no records, only a history. A history for each key would contain every change of a counter. */
const REVOCATION = RECORD_KINDS.attestedKeyRevocation;

/** Describes revoked keys to the audit log. */
export const AUDITED_REVOCATIONS: AuditedKind = {
  kind: REVOCATION,
  resourceOf: (key) => {
    const [project, ...rest] = key.split("/");
    return `projects/${project}/apps/${rest.slice(0, -1).join("/")}/attestedKeys/${rest.at(-1)}`;
  },
  fieldsOf: (value) => value as AuditedFields,
  etagOf: () => undefined,
  previousOf: ({ note }) => (note as { readonly revoked?: Json } | undefined)?.revoked,
};

/** Returns the fields that the audit log shows. */
const fieldsOf = ({ environment, counter, createTime }: AttestedKey) => ({
  environment,
  counter,
  createTime: new Date(createTime).toISOString(),
});

/** Returns the change that adds a key. The change fails if another process has added the key before. */
export const additionOf = (app: AppKey, key: AttestedKey): RecordChange => changeTo(app, key, 0);

/** Returns the change that raises a key's counter. The change fails if the key was changed since it was read. */
export function counterChange(
  app: AppKey,
  { revision, ...key }: StoredAttestedKey,
  counter: number,
): RecordChange {
  if (counter <= key.counter) throw new RangeError(`the counter ${counter} is not above ${key.counter}`);
  return changeTo(app, { ...key, counter }, revision);
}

function changeTo(
  app: AppKey,
  { keyId, point, counter, environment, createTime }: AttestedKey,
  ifRevision: number,
): RecordChange {
  const value: StoredValue = [point, counter, environment, createTime];
  return { kind: KIND, key: keyPrefix(app) + keyId, value, ifRevision };
}

function storedKey(app: AppKey, { key, value, revision }: StoredRecord): StoredAttestedKey {
  const keyId = key.slice(keyPrefix(app).length);
  const [point, counter, environment, createTime] = value as unknown as StoredValue;
  return { keyId, point, counter, environment, createTime, revision };
}
