import { create } from "@bufbuild/protobuf";
import { type Timestamp, timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { EveryProjectCaller, ProjectCaller } from "../../api/caller.js";
import { checkTime } from "../../api/request-time.js";
import type { CallContext } from "../../api/service.js";
import {
  type HistoryEntry,
  type HistoryRange,
  type Json,
  RECORD_KINDS,
  type RecordKind,
} from "../../control/records.js";
import { Role } from "../../gen/waybill/auth/v1/authorization_pb.js";
import {
  type AuditEntry,
  AuditEntrySchema,
  type ListAuditEntriesRequest,
  type ListAuditEntriesResponse,
  ListAuditEntriesResponseSchema,
  RegistryService,
} from "../../gen/waybill/registry/v1/registry_pb.js";
import type { UnixMillis } from "../../model/clock.js";
import type { ProjectNumber } from "../../model/names.js";
import { effectivePageSize } from "../../paging/page.js";
import { type AppValue, entryOf, etagOf, type ProjectValue, policyEtag, recordEtag } from "../entries.js";
import type { RegistryParts } from "../handlers/project-handlers.js";
import type { AuditNote } from "./audit-note.js";

/** Fields of a changed resource. Secrets are omitted. */
export type AuditedFields = Readonly<Record<string, Json | undefined>>;

/** A kind of records that the audit log covers. Record keys begin with the project number and a slash. */
export interface AuditedKind {
  readonly kind: RecordKind;
  readonly resourceOf: (key: string) => string;
  /** Returns the fields that the log shows. */
  readonly fieldsOf: (value: Json) => AuditedFields;
  /** Returns the resource's etag after the change; `undefined` if it has none. */
  readonly etagOf: (entry: HistoryEntry) => string | undefined;
  /** Value before the first change, if the resource existed before its record. */
  readonly previousOf?: (entry: HistoryEntry) => Json | undefined;
}

/** Describes changes of projects, apps and policies to the audit log. */
export const AUDITED_REGISTRY: AuditedKind = {
  kind: RECORD_KINDS.registry,
  resourceOf: (key) => {
    const entry = entryOf(key);
    const project = `projects/${entry.project}`;
    if (entry.type === "project") return project;
    return entry.type === "policy" ? `${project}/policy` : `${project}/apps/${entry.appId}`;
  },
  fieldsOf: (value) => {
    const { namespace, createTime, deleteTime, purgeTime, ...fields } = value as Partial<
      AppValue & ProjectValue
    >;
    const time = (millis: number | undefined) =>
      millis === undefined ? undefined : new Date(millis).toISOString();
    const name = fields.platform === "ios" ? "bundleId" : "packageName";
    const all = { ...fields, [name]: namespace, deleteTime: time(deleteTime), purgeTime: time(purgeTime) };
    return Object.fromEntries(Object.entries(all).filter(([, field]) => field?.length)) as AuditedFields;
  },
  etagOf: ({ key, revision, note }) => {
    const { fileBindings } = (note as Partial<AuditNote> | undefined) ?? {};
    return fileBindings === undefined ? recordEtag(key, revision) : policyEtag(key, revision, fileBindings);
  },
};

/** Number of history entries to read at once. */
const ENTRIES_A_READ = 100;
/** Maximum number of history entries to read for a page. The page then ends, even if it is not full. */
const MAX_ENTRIES_A_PAGE = 10_000;
/** Total length of values at which a page ends, in characters. */
const MAX_PAGE_LENGTH = 1024 * 1024;

export function auditHandler({ registry, tokens }: RegistryParts, audited: readonly AuditedKind[]) {
  const kinds = new Map(audited.map((kind) => [kind.kind.name, kind]));
  return async (
    request: ListAuditEntriesRequest,
    context: CallContext<ProjectCaller | EveryProjectCaller>,
  ): Promise<ListAuditEntriesResponse> => {
    const { caller } = context;
    const pageSize = effectivePageSize(request.pageSize);
    const { principal, method, startTime, endTime } = request;
    const [start, end] = [boundOf(startTime, "startTime"), boundOf(endTime, "endTime")];
    const parent = caller.kind === "project" ? `projects/${caller.project.number}` : "projects/-";
    const filter = JSON.stringify([principal, method, start, end]);
    const list = { operation: RegistryService.method.listAuditEntries.name, parent, filter, pageSize };
    const position = tokens.read(request.pageToken, list);
    // Owners of all projects also own the deleted ones.
    const isInAll = caller.kind === "project" || registry.roleEverywhere(caller.principal) >= Role.OWNER;
    const isOwned = (number: ProjectNumber): boolean =>
      registry.project(number) !== undefined && registry.roleOn(caller.principal, number) >= Role.OWNER;
    const isListed = ({ key, note }: HistoryEntry): boolean => {
      const by = note as AuditNote | undefined;
      return (
        (principal === "" || by?.principal === principal) &&
        (method === "" || by?.method === method) &&
        (isInAll || isOwned(projectIn(key)))
      );
    };
    const range: Omit<HistoryRange, "after" | "limit"> = {
      kinds: audited.map(({ kind }) => kind),
      newestFirst: true,
      since: start,
      before: end,
      ...(caller.kind === "project" && { prefix: `${caller.project.number}/` }),
    };
    const read = (after: HistoryRange["after"]) => {
      context.signal.throwIfAborted();
      return registry.records.history({ ...range, after, limit: ENTRIES_A_READ });
    };
    const first = position === undefined ? undefined : positionOf(position);
    await context.waitForSlot();
    const { entries, next } = await pageAfter(first, pageSize, read, isListed);
    return create(ListAuditEntriesResponseSchema, {
      auditEntries: entries.map((entry) => auditEntry(entry, kinds)),
      nextPageToken: next === undefined ? "" : tokens.tokenOf(list, textOf(next)),
    });
  };
}

/**
 * Returns the first millisecond that is not before a time in a request. Times of entries are whole milliseconds.
 *
 * @throws ApiError `INVALID_PARAMETER` if the time is invalid.
 */
function boundOf(time: Timestamp | undefined, field: string): UnixMillis | undefined {
  if (time === undefined) return undefined;
  checkTime(time, "INVALID_PARAMETER", field);
  return Number(time.seconds) * 1_000 + Math.ceil(time.nanos / 1_000_000);
}

type Position = NonNullable<HistoryRange["after"]>;

/**
 * Reads the listed entries of a page, after a position.
 *
 * @returns the position after which the next page starts; `undefined` on the last page.
 */
async function pageAfter(
  first: Position | undefined,
  pageSize: number,
  read: (after: Position | undefined) => Promise<readonly HistoryEntry[]>,
  isListed: (entry: HistoryEntry) => boolean,
): Promise<{ readonly entries: readonly HistoryEntry[]; readonly next: Position | undefined }> {
  const entries: HistoryEntry[] = [];
  let [next, room] = [first, MAX_PAGE_LENGTH];
  for (let count = 0; count < MAX_ENTRIES_A_PAGE; count += ENTRIES_A_READ) {
    const found = await read(next);
    for (const entry of found) {
      if (isListed(entry)) {
        if (entries.length === pageSize || room < 0) return { entries, next };
        entries.push(entry);
        room -= JSON.stringify([entry.value, entry.previous]).length;
      }
      next = entry;
    }
    if (found.length < ENTRIES_A_READ) return { entries, next: undefined };
  }
  return { entries, next };
}

const projectIn = (key: string): ProjectNumber => key.slice(0, key.indexOf("/"));

const textOf = ({ revision, kind, key }: Position): string => `${revision} ${kind} ${key}`;

function positionOf(text: string): Position {
  const [revision = "", kind = "", ...key] = text.split(" ");
  return { revision: Number(revision), kind, key: key.join(" ") };
}

function auditEntry(entry: HistoryEntry, kinds: ReadonlyMap<string, AuditedKind>): AuditEntry {
  const { kind, key, revision, time, value } = entry;
  const audited = kinds.get(kind);
  if (audited === undefined) throw new Error(`the records ${kind} are not audited`);
  const {
    principal = "",
    issuer = "",
    network = "",
    method = "",
    etagBefore = "",
  } = (entry.note as Partial<AuditNote> | undefined) ?? {};
  const before = entry.previous ?? audited.previousOf?.(entry);
  return create(AuditEntrySchema, {
    name: `projects/${projectIn(key)}/auditEntries/${revision}-${etagOf(`${kind} ${key}`).slice(0, 8)}`,
    time: timestampFromMs(time),
    principal,
    issuer,
    remoteAddress: network,
    method,
    resource: audited.resourceOf(key),
    etagBefore,
    etagAfter: value === undefined ? "" : (audited.etagOf(entry) ?? ""),
    changes: differences(fieldsIn(before, audited), fieldsIn(value, audited)),
  });
}

const fieldsIn = (value: Json | undefined, { fieldsOf }: AuditedKind): AuditedFields =>
  value === undefined ? {} : fieldsOf(value);

function differences(before: AuditedFields, after: AuditedFields) {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return fields.flatMap((field) => {
    const [old, next] = [JSON.stringify(before[field]), JSON.stringify(after[field])];
    return old === next ? [] : [{ field, before: old ?? "", after: next ?? "" }];
  });
}
