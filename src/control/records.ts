/** A kind of record, with its properties. */
export interface RecordKind {
  /** Name of lowercase letters and hyphens. */
  readonly name: string;
  /**
   * True if processes can list changes since a revision. Records of such a kind never expire, and all of them must fit
   * into memory.
   */
  readonly isFollowed?: boolean;
  /** True if the history keeps all changes of the records. */
  readonly isAudited?: boolean;
  /** True if snapshots omit the records. */
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

export interface StoredRecord {
  readonly key: string;
  readonly value: Json;
  /** Revision of the record's last change. It increases with each change and is never reused. */
  readonly revision: number;
  /** Time at which the record expires, in milliseconds since the Unix epoch. Omitted if it never expires. */
  readonly expireTime?: number;
}

export interface RecordChange {
  readonly kind: RecordKind;
  /** Key of the record, unique within its kind. It is not empty and contains no NUL characters. */
  readonly key: string;
  /** The new value. `undefined` deletes the record. */
  readonly value: Json | undefined;
  /** Revision that the record must have, or 0 if the record must not exist. If omitted, the change has no condition. */
  readonly ifRevision?: number | undefined;
  /** Time at which the record expires, in milliseconds since the Unix epoch. */
  readonly expireTime?: number | undefined;
  /** Author and reason of the change, for the history of audited kinds. */
  readonly note?: Json | undefined;
}

/** Selects keys of one kind. */
export interface RecordRange {
  /** Selects only keys with this prefix. If omitted, selects all keys. */
  readonly prefix?: string;
  /** Selects only keys after this key. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** A record at its last change. The record may be deleted. */
export interface ChangedRecord extends Omit<StoredRecord, "value"> {
  /** Value of the record. `undefined` if the record was deleted. */
  readonly value: Json | undefined;
}

/** A page of changed records of a followed kind. */
export interface RecordChanges {
  /** True if this page is the first one of all records of the kind. They replace any copy. */
  readonly isWhole: boolean;
  /** The changed records, oldest change first. Deleted records have no value. */
  readonly records: readonly ChangedRecord[];
  /** Revision to pass to the next call, after the last page. */
  readonly revision: number;
}

export interface HistoryEntry {
  readonly kind: string;
  readonly key: string;
  readonly revision: number;
  /** Time of the change, in milliseconds since the Unix epoch. */
  readonly time: number;
  /** New value. Omitted if the change deleted the record, and null for secret kinds. */
  readonly value?: Json;
  /** Previous value. Omitted if the record did not exist before, and null for secret kinds. */
  readonly previous?: Json;
  readonly note?: Json;
}

export interface HistoryRange {
  readonly kinds: readonly RecordKind[];
  /** Selects only changes of the record with this key. */
  readonly key?: string;
  /**
   * Selects only changes of records with this key prefix. Reading is fastest if the prefix is a project number and a
   * slash.
   */
  readonly prefix?: string;
  /** Selects only changes at or after this time, in milliseconds since the Unix epoch. */
  readonly since?: number | undefined;
  /** Selects only changes before this time, in milliseconds since the Unix epoch. */
  readonly before?: number | undefined;
  /** True to list the newest change first. */
  readonly newestFirst?: boolean;
  /** Selects only changes that follow this one in the list. */
  readonly after?: Pick<HistoryEntry, "revision" | "kind" | "key"> | undefined;
  readonly limit: number;
}

/** A record of any kind, to copy to other control data. */
export interface CopiedRecord extends ChangedRecord {
  readonly kind: string;
  readonly isFollowed: boolean;
}

/** Small JSON documents that all processes of a server share. */
export interface Records {
  /** Location of the records, for messages to operators. */
  readonly place: string;

  /**
   * Returns a record. Returns `undefined` if it does not exist or has expired. The result includes all earlier changes
   * by any process.
   *
   * @throws StoreUnavailableError if the records cannot be read.
   */
  get(kind: RecordKind, key: string): Promise<StoredRecord | undefined>;

  /** Lists records, sorted by key in byte order. @throws the same errors as {@link get}. */
  list(kind: RecordKind, range: RecordRange): Promise<readonly StoredRecord[]>;

  /**
   * Changes several records atomically. When the call resolves, the changes are on disk.
   *
   * @returns the revision that all changed records now have. `undefined` if a record does not have its `ifRevision`;
   * nothing has changed then.
   * @throws StoreUnavailableError if the write fails. The records may have changed.
   */
  change(changes: readonly RecordChange[]): Promise<number | undefined>;

  /**
   * Lists the records of one kind that have changed since a revision, in one or more pages.
   *
   * @param revision revision from the last page of the previous call; 0 to list all records.
   * @throws the same errors as {@link get}.
   */
  changesSince(kind: RecordKind, revision: number): AsyncIterable<RecordChanges>;

  /** Calls a function soon after any process has changed records of a kind. A call may be missed. */
  onChange(kind: RecordKind, listener: () => void): void;

  /** Lists changes of audited records, sorted by revision. @throws the same errors as {@link get}. */
  history(range: HistoryRange): Promise<readonly HistoryEntry[]>;

  /**
   * Removes the oldest history entries before a time, in milliseconds since the Unix epoch.
   *
   * @returns the number of removed entries. If it is less than `limit`, no more entries are left.
   * @throws StoreUnavailableError if the write fails. The entries may have been removed.
   */
  removeHistory(before: number, limit: number): Promise<number>;

  /**
   * Removes the keys and revisions that deleted records of a kind have left. Processes that have not seen these
   * deletions yet read all records again ({@link RecordChanges.isWhole}).
   *
   * @returns the number of removed keys. If it is less than `limit`, no more are left.
   * @throws the same errors as {@link removeHistory}.
   */
  forget(kind: RecordKind, prefix: string, limit: number): Promise<number>;
}

/**
 * All kinds of records. For kinds with project data, a key is the project number, or begins with the project number and
 * a slash. Keys of followed kinds always begin with it.
 */
export const RECORD_KINDS = {
  /** Dated events that users record, such as releases. */
  annotation: { name: "annotation", isAudited: true },
  appAttestConfig: { name: "app-attest-config", isFollowed: true, isAudited: true },
  attestationFailure: { name: "attestation-failure" },
  /** Challenges that have not been used yet. */
  appAttestChallenge: { name: "app-attest-challenge" },
  /** Issued, rejected and reused app tokens of an app, by day and provider. */
  attestationTokenCount: { name: "attestation-token-count" },
  /** Keys that devices have attested, with their assertion counters. */
  attestedKey: { name: "attested-key" },
  attestedKeyRevocation: { name: "attested-key-revocation", isAudited: true },
  consumedToken: { name: "consumed-token" },
  credentialKey: { name: "credential-key", isAudited: true },
  debugTokens: { name: "debug-tokens", isAudited: true },
  incidents: { name: "incidents" },
  /** Acknowledgements and notes of incidents. */
  incidentTriage: { name: "incident-triage", isAudited: true },
  key: { name: "key", isSecret: true },
  mirror: { name: "mirror" },
  /** Projects, apps and access policies. */
  registry: { name: "registry", isFollowed: true, isAudited: true },
  /** Reservations of unique names: project ids, bundle ids and package names. */
  registryName: { name: "registry-name" },
  /** Number of resources in each limited collection of a project. */
  resourceCount: { name: "resource-count" },
  /** Delivered shares that apps and labels must reach each day. */
  target: { name: "target", isFollowed: true, isAudited: true },
  view: { name: "view", isAudited: true },
  /** Incidents that webhooks were notified of. */
  webhook: { name: "webhook" },
  webhookReports: { name: "webhook-reports" },
  /** Targets that webhooks were notified of. */
  webhookTargets: { name: "webhook-targets" },
} satisfies Readonly<Record<string, RecordKind>>;

/** Kinds with data of principals and servers. The registry erases its own records itself. */
const OTHER_KINDS: readonly RecordKind[] = [
  RECORD_KINDS.credentialKey,
  RECORD_KINDS.key,
  RECORD_KINDS.registry,
  RECORD_KINDS.registryName,
];

/** Kinds with project data. Erasing a project erases their records. */
export const PROJECT_KINDS: readonly RecordKind[] = Object.values<RecordKind>(RECORD_KINDS).filter(
  (kind) => !OTHER_KINDS.includes(kind),
);

/** Names of the kinds that are omitted from snapshots and copies. */
export const SECRET_KINDS: readonly string[] = Object.values<RecordKind>(RECORD_KINDS)
  .filter(({ isSecret }) => isSecret)
  .map(({ name }) => name);

/** Number of records that {@link allRecords} reads at a time. */
const RECORDS_A_READ = 1_000;

/**
 * Reads all records of a kind, sorted by key. Use it only for kinds with a limited number of records.
 *
 * @param prefix reads only records with keys that begin with it.
 * @throws StoreUnavailableError if the records cannot be read.
 */
export async function allRecords(
  records: Pick<Records, "list">,
  kind: RecordKind,
  prefix = "",
): Promise<readonly StoredRecord[]> {
  const found: StoredRecord[] = [];
  for (let after: string | undefined; ; after = found.at(-1)?.key) {
    const page = await records.list(kind, { prefix, after, limit: RECORDS_A_READ });
    found.push(...page);
    if (page.length < RECORDS_A_READ) return found;
  }
}
