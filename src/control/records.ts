/** A kind of records. */
export interface RecordKind {
  /** Lowercase letters and hyphens. */
  readonly name: string;
  /** True to list changes since a revision. Records of such a kind do not expire, and their number is limited by memory. */
  readonly isFollowed?: boolean;
  /** True to keep the history of all changes. */
  readonly isAudited?: boolean;
  /** True to keep the records out of snapshots. */
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
  /** Number of its last change: higher than that of any earlier change of the record, and never used again. */
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
  /** Makes the change only if the record is at this revision; 0 if there is no such record. If omitted, always. */
  readonly ifRevision?: number | undefined;
  /** Time from which there is no such record, in milliseconds since the Unix epoch. */
  readonly expireTime?: number | undefined;
  /** Who made the change and why, for the history of audited kinds. */
  readonly note?: Json | undefined;
}

/** A range of keys of a kind. */
export interface RecordRange {
  /** The start of all keys; any by default. */
  readonly prefix?: string;
  /** Lists keys after this one. */
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
  /** True if these are all records of the kind, and replace any copy. */
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
  /** Omitted if the record was deleted. */
  readonly value?: Json;
  /** Omitted if there was no such record before. */
  readonly previous?: Json;
  readonly note?: Json;
}

/** A part of the history. */
export interface HistoryRange {
  readonly kinds: readonly RecordKind[];
  /** The only key; any by default. */
  readonly key?: string;
  /** The start of all keys; any by default. */
  readonly prefix?: string;
  /** Lists the newest change first. */
  readonly newestFirst?: boolean;
  /** Lists changes after this one. */
  readonly after?: Pick<HistoryEntry, "revision" | "kind" | "key"> | undefined;
  readonly limit: number;
}

/** A record of any kind, as copies of all records have it. */
export interface CopiedRecord extends ChangedRecord {
  readonly kind: string;
  readonly isFollowed: boolean;
}

/** Small JSON documents that all processes of a server share: its control data. */
export interface Records {
  /** Where the records are, for messages to operators. */
  readonly place: string;

  /**
   * Returns a record; `undefined` if there is none, or if it has expired. Sees all changes that any process made before.
   *
   * @throws StoreUnavailableError if the records cannot be read.
   */
  get(kind: RecordKind, key: string): Promise<StoredRecord | undefined>;

  /** Lists records by key, in byte order. @throws as {@link get}. */
  list(kind: RecordKind, range: RecordRange): Promise<readonly StoredRecord[]>;

  /**
   * Makes changes of different records, all or none. They are on disk when this resolves.
   *
   * @returns the revision that all of them now have; `undefined` if a record is not at its `ifRevision`: nothing has changed then.
   * @throws StoreUnavailableError if that fails; the changes may have been made.
   */
  change(changes: readonly RecordChange[]): Promise<number | undefined>;

  /**
   * Lists followed records that have changed since a revision, each with its last change.
   *
   * @param revision that of the last call; 0 for all records.
   * @throws as {@link get}.
   */
  changesSince(kind: RecordKind, revision: number): Promise<RecordChanges>;

  /** Calls a listener soon after a process has changed records of a followed kind. Some calls may be lost. */
  onChange(kind: RecordKind, listener: () => void): void;

  /** Lists changes of audited kinds. @throws as {@link get}. */
  history(range: HistoryRange): Promise<readonly HistoryEntry[]>;
}

/** The kinds of records. */
export const RECORD_KINDS = {
  appAttestConfig: { name: "app-attest-config", isFollowed: true, isAudited: true },
  incidents: { name: "incidents" },
  key: { name: "key", isSecret: true },
  mirror: { name: "mirror" },
  webhook: { name: "webhook" },
} satisfies Readonly<Record<string, RecordKind>>;

/** The names of kinds that stay out of snapshots and copies. */
export const SECRET_KINDS: readonly string[] = Object.values<RecordKind>(RECORD_KINDS)
  .filter(({ isSecret }) => isSecret)
  .map(({ name }) => name);
