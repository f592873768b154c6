import { create } from "@bufbuild/protobuf";
import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import type { EveryProjectCaller, ProjectCaller } from "../api/caller.js";
import type { CallContext } from "../api/service.js";
import {
  type HistoryEntry,
  type HistoryRange,
  type Json,
  RECORD_KINDS,
  type RecordKind,
} from "../control/records.js";
import {
  type AuditEntry,
  AuditEntrySchema,
  type ListAuditEntriesRequest,
  type ListAuditEntriesResponse,
  ListAuditEntriesResponseSchema,
  RegistryService,
} from "../gen/waybill/registry/v1/registry_pb.js";
import type { ProjectNumber } from "../model/names.js";
import { effectivePageSize } from "../paging/page.js";
import type { AuditNote } from "./audit-note.js";
import { type AppValue, entryOf, etagOf, type ProjectValue, recordEtag } from "./entries.js";
import type { RegistryParts } from "./project-handlers.js";

/** Fields of a changed resource. Secrets are omitted. */
export type AuditedFields = Readonly<Record<string, Json | undefined>>;

/** An audited kind of records. Their keys begin with the project number and a slash. */
export interface AuditedKind {
  readonly kind: RecordKind;
  /** Returns the changed resource's name. */
  readonly resourceOf: (key: string) => string;
  /** Returns the fields that the log shows. */
  readonly fieldsOf: (value: Json) => AuditedFields;
  /** Returns the resource's etag after the change; `undefined` if it has none. */
  readonly etagOf: (entry: HistoryEntry) => string | undefined;
  /** Value before the first change, if the resource existed before its record. */
  readonly previousOf?: (entry: HistoryEntry) => Json | undefined;
}

/** Projects, apps and policies. */
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
  etagOf: ({ key, revision }) => recordEtag(key, revision),
};

/** Number of history entries that are read together. */
const ENTRIES_A_READ = 500;

/** Makes the handler of `ListAuditEntries`. */
export function auditHandler({ registry, tokens }: RegistryParts, audited: readonly AuditedKind[]) {
  const kinds = new Map(audited.map((kind) => [kind.kind.name, kind]));
  const range: Pick<HistoryRange, "kinds" | "newestFirst"> = {
    kinds: audited.map(({ kind }) => kind),
    newestFirst: true,
  };

  return async (
    request: ListAuditEntriesRequest,
    { caller, signal }: CallContext<ProjectCaller | EveryProjectCaller>,
  ): Promise<ListAuditEntriesResponse> => {
    const pageSize = effectivePageSize(request.pageSize);
    const { principal, method, startTime, endTime } = request;
    const [start, end] = [startTime && timestampMs(startTime), endTime && timestampMs(endTime)];
    const parent = caller.kind === "project" ? `projects/${caller.project.number}` : "projects/-";
    const filter = JSON.stringify([principal, method, start, end]);
    const list = { operation: RegistryService.method.listAuditEntries.name, parent, filter, pageSize };
    const position = tokens.read(request.pageToken, list);
    const isListed = ({ key, time, note }: HistoryEntry): boolean => {
      const by = note as AuditNote | undefined;
      return (
        (principal === "" || by?.principal === principal) &&
        (method === "" || by?.method === method) &&
        (start === undefined || time >= start) &&
        (end === undefined || time < end) &&
        (caller.kind === "project" || isOwned(caller, projectIn(key)))
      );
    };
    const prefix = caller.kind === "project" ? { prefix: `${caller.project.number}/` } : {};
    const found: HistoryEntry[] = [];
    let after = position === undefined ? undefined : positionOf(position);
    for (;;) {
      signal.throwIfAborted();
      const entries = await registry.records.history({ ...range, ...prefix, after, limit: ENTRIES_A_READ });
      found.push(...entries.filter(isListed));
      const oldest = entries.at(-1);
      after = oldest;
      const isTooOld = start !== undefined && oldest !== undefined && oldest.time < start;
      if (entries.length < ENTRIES_A_READ || found.length > pageSize || isTooOld) break;
    }
    const items = found.slice(0, pageSize);
    const last = found.length > pageSize ? items.at(-1) : undefined;
    return create(ListAuditEntriesResponseSchema, {
      auditEntries: items.map((entry) => auditEntry(entry, kinds)),
      nextPageToken: last === undefined ? "" : tokens.tokenOf(list, textOf(last)),
    });
  };
}

/** Returns true if an owner of several projects owns this one. */
function isOwned({ projectsAfter }: EveryProjectCaller, project: ProjectNumber): boolean {
  const before = String(BigInt(project) - 1n);
  return projectsAfter(before, 1).some(({ number }) => number === project);
}

const projectIn = (key: string): ProjectNumber => key.slice(0, key.indexOf("/"));

const textOf = ({ revision, kind, key }: HistoryEntry): string => `${revision} ${kind} ${key}`;

function positionOf(text: string): NonNullable<HistoryRange["after"]> {
  const [revision = "", kind = "", ...key] = text.split(" ");
  return { revision: Number(revision), kind, key: key.join(" ") };
}

/** Builds a change's entry. */
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

/** Returns the fields that differ. */
function differences(before: AuditedFields, after: AuditedFields) {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return fields.flatMap((field) => {
    const [old, next] = [JSON.stringify(before[field]), JSON.stringify(after[field])];
    return old === next ? [] : [{ field, before: old ?? "", after: next ?? "" }];
  });
}
