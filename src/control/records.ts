/** A kind of records. */
export interface RecordKind {
  /** Lowercase letters and hyphens. */
  readonly name: string;
  /**
   * True if changes since a revision can be listed. Records of a followed kind do not expire, and must fit into
   * memory.
   */
  readonly isFollowed?: boolean;
  /** True to keep the history of all changes. */
  readonly isAudited?: boolean;
  /** True to omit the records from snapshots. */
  readonly isSecret?: boolean;
}

/** A value that JSON can express. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

/** A record as it is stored. */
export interface StoredRecord {
  readonly key: string;
  readonly value: Json;
  /** Number of the last change. It rises with each change of the record, and is never reused. */
  readonly revision: number;
  /** Time at which it expires, in milliseconds since the Unix epoch; omitted if it does not. */
  readonly expireTime?: number;
}

/** A change of one record. */
export interface RecordChange {
  readonly kind: RecordKind;
  /** Unique within the kind; not empty, without zero characters. */
  readonly key: string;
  /** The new value; `undefined` deletes the record. */
  readonly value: Json | undefined;
  /**
   * Required revision of the record for the change; 0 if it must not exist. If omitted, the change is unconditional.
   */
  readonly ifRevision?: number | undefined;
  /** Expiration time, in milliseconds since the Unix epoch. */
  readonly expireTime?: number | undefined;
  /** Author of and reason for the change, for the history of audited kinds. */
  readonly note?: Json | undefined;
}

/** A range of keys of a kind. */
export interface RecordRange {
  /** Prefix of the keys; all keys by default. */
  readonly prefix?: string;
  /** Lists only keys after this one. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** A record with its last change. */
export interface ChangedRecord extends Omit<StoredRecord, "value"> {
  /** `undefined` if the record was deleted. */
  readonly value: Json | undefined;
}

/** Changed records of a followed kind. */
export interface RecordChanges {
  /** True if these are all records of the kind. They replace any copy. */
  readonly isWhole: boolean;
  /** Records, oldest change first. A deleted record has no value. */
  readonly records: readonly ChangedRecord[];
  /** The revision from which to continue. */
  readonly revision: number;
}

/** A recorded change of an audited kind. */
export interface HistoryEntry {
  readonly kind: string;
  readonly key: string;
  readonly revision: number;
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
  /** Omitted if the record was deleted, null for secret kinds. */
  readonly value?: Json;
  /** Omitted if there was no such record before, null for secret kinds. */
  readonly previous?: Json;
  readonly note?: Json;
}

/** A range of the history. */
export interface HistoryRange {
  readonly kinds: readonly RecordKind[];
  /** A single key; all keys by default. */
  readonly key?: string;
  /** Prefix of the keys; all keys by default. A project number with a slash is the fastest. */
  readonly prefix?: string;
  /** Lists changes from this time on, in milliseconds since the Unix epoch. */
  readonly since?: number | undefined;
  /** Lists changes before this time. */
  readonly before?: number | undefined;
  /** Lists the newest change first. */
  readonly newestFirst?: boolean;
  /** Lists changes after this one. */
  readonly after?: Pick<HistoryEntry, "revision" | "kind" | "key"> | undefined;
  readonly limit: number;
}

/** A record of any kind, as it is copied to other control data. */
export interface CopiedRecord extends ChangedRecord {
  readonly kind: string;
  readonly isFollowed: boolean;
}

/** Control data: small JSON documents that all processes of a server share. */
export interface Records {
  /** Location of the records, for messages to operators. */
  readonly place: string;

  /**
   * Returns a record; `undefined` if it does not exist or has expired. Reflects all earlier changes of any process.
   *
   * @throws StoreUnavailableError if the records cannot be read.
   */
  get(kind: RecordKind, key: string): Promise<StoredRecord | undefined>;

  /** Lists records by key, in byte order. @throws the same errors as {@link get}. */
  list(kind: RecordKind, range: RecordRange): Promise<readonly StoredRecord[]>;

  /**
   * Changes several records atomically. The changes are on disk when this resolves.
   *
   * @returns the new revision of all of them; `undefined` if a record is not at its `ifRevision` and nothing has
   *   changed.
   * @throws StoreUnavailableError if the write fails. The changes may have been made.
   */
  change(changes: readonly RecordChange[]): Promise<number | undefined>;

  /**
   * Lists followed records with their last change since a revision.
   *
   * @param revision returned by the last call; 0 for all records.
   * @throws the same errors as {@link get}.
   */
  changesSince(kind: RecordKind, revision: number): Promise<RecordChanges>;

  /** Calls a listener soon after any process has changed records of a followed kind. Calls may be lost. */
  onChange(kind: RecordKind, listener: () => void): void;

  /** Lists changes of audited kinds, sorted by revision. @throws the same errors as {@link get}. */
  history(range: HistoryRange): Promise<readonly HistoryEntry[]>;

  /**
   * Removes the oldest entries of the history from before a time, in milliseconds since the Unix epoch.
   *
   * @returns the number of removed entries. Less than `limit` if none are left.
   * @throws StoreUnavailableError if the write fails. The entries may have been removed.
   */
  removeHistory(before: number, limit: number): Promise<number>;

  /**
   * Removes the traces of deleted records of a followed kind: their keys and revisions. Processes that have not seen
   * these deletions read all records again ({@link RecordChanges.isWhole}).
   *
   * @returns the number of removed traces. Less than `limit` if none are left.
   * @throws the same errors as {@link removeHistory}.
   */
  forget(kind: RecordKind, prefix: string, limit: number): Promise<number>;
}

/**
 * The kinds of records. Keys of project data are the project number, or begin with it and a slash. The latter
 * applies to all followed kinds.
 */
export const RECORD_KINDS = {
  appAttestConfig: { name: "app-attest-config", isFollowed: true, isAudited: true },
  attestationFailure: { name: "attestation-failure" },
  /** Challenges that no exchange has used. */
  appAttestChallenge: { name: "app-attest-challenge" },
  /** Keys of devices, with their counters. */
  attestedKey: { name: "attested-key" },
  attestedKeyRevocation: { name: "attested-key-revocation", isAudited: true },
  consumedToken: { name: "consumed-token" },
  credentialKey: { name: "credential-key", isAudited: true },
  debugTokens: { name: "debug-tokens", isAudited: true },
  incidents: { name: "incidents" },
  key: { name: "key", isSecret: true },
  mirror: { name: "mirror" },
  /** Projects, apps and policies. */
  registry: { name: "registry", isFollowed: true, isAudited: true },
  /** Reserves project ids, bundle ids and package names, which must be unique. */
  registryName: { name: "registry-name" },
  webhook: { name: "webhook" },
} satisfies Readonly<Record<string, RecordKind>>;

/** Kinds with data of principals and servers. The registry itself removes its records of projects. */
const OTHER_KINDS: readonly RecordKind[] = [
  RECORD_KINDS.credentialKey,
  RECORD_KINDS.key,
  RECORD_KINDS.registry,
  RECORD_KINDS.registryName,
];

/** Kinds that hold project data. They are erased with the project. */
export const PROJECT_KINDS: readonly RecordKind[] = Object.values<RecordKind>(RECORD_KINDS).filter(
  (kind) => !OTHER_KINDS.includes(kind),
);

/** Names of the kinds that snapshots and copies omit. */
export const SECRET_KINDS: readonly string[] = Object.values<RecordKind>(RECORD_KINDS)
  .filter(({ isSecret }) => isSecret)
  .map(({ name }) => name);
