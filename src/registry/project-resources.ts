import {
  type Json,
  RECORD_KINDS,
  type RecordChange,
  type RecordKind,
  type Records,
  type StoredRecord,
} from "../control/records.js";
import { retryConflicts } from "../control/retry-conflicts.js";
import type { ProjectNumber } from "../model/names.js";
import type { AuditedFields, AuditedKind } from "./audit/audit-log.js";
import type { AuditNote } from "./audit/audit-note.js";
import { recordEtag } from "./entries.js";
import { alreadyExists, etagMismatch, notFound, tooManyResources } from "./registry-errors.js";

/** A collection of resources that each project has, such as annotations. */
export interface ResourceCollection {
  /** Kind of the records. It must be audited. */
  readonly kind: RecordKind;
  /** Collection in resource names, such as `annotations`. */
  readonly name: string;
  readonly maximum: number;
}

export interface ProjectResource<T> {
  readonly id: string;
  /** Resource name, with the project number. */
  readonly name: string;
  readonly etag: string;
  readonly value: T;
}

const COUNTS = RECORD_KINDS.resourceCount;

/**
 * A small collection of resources in each project. Each resource is a record with an etag, and the audit log has all
 * changes. A second record counts a project's resources, so that their number cannot exceed the limit.
 */
export class ProjectResources<T> {
  readonly #records: Pick<Records, "get" | "list" | "change">;
  readonly #collection: ResourceCollection;

  constructor(records: Pick<Records, "get" | "list" | "change">, collection: ResourceCollection) {
    this.#records = records;
    this.#collection = collection;
  }

  /** Lists a project's resources, by id in byte order. @throws StoreUnavailableError if they cannot be read. */
  async list(project: ProjectNumber): Promise<readonly ProjectResource<T>[]> {
    const { kind, maximum } = this.#collection;
    const found = await this.#records.list(kind, { prefix: `${project}/`, limit: maximum });
    return found.map((record) => this.#resourceOf(record));
  }

  /** Returns a resource. @throws ApiError `RESOURCE_NOT_FOUND`; the same errors as {@link list}. */
  async get(project: ProjectNumber, id: string): Promise<ProjectResource<T>> {
    return this.#resourceOf(await this.#recordOf(project, id));
  }

  /**
   * Creates a resource.
   *
   * @throws ApiError `RESOURCE_ALREADY_EXISTS`, or `TOO_MANY_RESOURCES` if the project has the maximum number;
   *   StoreUnavailableError if it is unknown whether the resource was created.
   */
  create(project: ProjectNumber, id: string, value: T, note: AuditNote): Promise<ProjectResource<T>> {
    const { kind, name, maximum } = this.#collection;
    const key = keyOf(project, id);
    return this.#attempt(project, async () => {
      if ((await this.#records.get(kind, key)) !== undefined) throw alreadyExists(this.#nameOf(key));
      const [count, counted] = await this.#counted(project, 1);
      if (count > maximum) throw tooManyResources(project, name, maximum);
      return this.#change({ kind, key, value: value as Json, ifRevision: 0, note: { ...note } }, counted);
    });
  }

  /**
   * Changes a resource.
   *
   * @param etag etag that the resource must have; empty for any.
   * @param after returns the new value. Called again if another process has changed the resource in between.
   * @throws ApiError `RESOURCE_NOT_FOUND` or `ETAG_MISMATCH`; StoreUnavailableError if it is unknown whether the
   *   resource was changed.
   */
  update(
    project: ProjectNumber,
    id: string,
    etag: string,
    after: (before: T) => T,
    note: AuditNote,
  ): Promise<ProjectResource<T>> {
    return this.#attempt(project, async () => {
      const found = await this.#recordOf(project, id);
      const value = after(found.value as T) as Json;
      return this.#change({ ...this.#checked(found, etag, note), value });
    });
  }

  /** Deletes a resource. @returns the deleted resource. @throws the same errors as {@link update}. */
  delete(project: ProjectNumber, id: string, etag: string, note: AuditNote): Promise<ProjectResource<T>> {
    return this.#attempt(project, async () => {
      const found = await this.#recordOf(project, id);
      const [, counted] = await this.#counted(project, -1);
      const change = { ...this.#checked(found, etag, note), value: undefined };
      const revision = await this.#records.change([change, counted]);
      return revision === undefined ? undefined : { result: this.#resourceOf(found) };
    });
  }

  #attempt<R>(project: ProjectNumber, attempt: () => Promise<{ readonly result: R } | undefined>) {
    return retryConflicts(`the ${this.#collection.name} of ${project}`, attempt);
  }

  async #recordOf(project: ProjectNumber, id: string): Promise<StoredRecord> {
    const key = keyOf(project, id);
    const found = await this.#records.get(this.#collection.kind, key);
    if (found === undefined) throw notFound(this.#nameOf(key));
    return found;
  }

  /** Returns a change's fields, except the value. @throws ApiError `ETAG_MISMATCH`. */
  #checked({ key, revision }: StoredRecord, etag: string, note: AuditNote) {
    const etagBefore = recordEtag(key, revision);
    if (etag !== "" && etag !== etagBefore) throw etagMismatch(this.#nameOf(key));
    return { kind: this.#collection.kind, key, ifRevision: revision, note: { ...note, etagBefore } };
  }

  /** Returns the project's next number of resources, and the change that stores it. */
  async #counted(
    project: ProjectNumber,
    added: 1 | -1,
  ): Promise<readonly [count: number, change: RecordChange]> {
    const key = `${project}/${this.#collection.kind.name}`;
    const found = await this.#records.get(COUNTS, key);
    const count = (found === undefined ? 0 : (found.value as number)) + added;
    const ifRevision = found?.revision ?? 0;
    return [count, { kind: COUNTS, key, value: count === 0 ? undefined : count, ifRevision }];
  }

  /** @returns `undefined` after a conflict. */
  async #change(
    change: RecordChange & { readonly value: Json },
    ...more: readonly RecordChange[]
  ): Promise<{ readonly result: ProjectResource<T> } | undefined> {
    const revision = await this.#records.change([change, ...more]);
    const { key, value } = change;
    return revision === undefined ? undefined : { result: this.#resourceOf({ key, value, revision }) };
  }

  #resourceOf({ key, value, revision }: StoredRecord): ProjectResource<T> {
    const id = key.slice(key.indexOf("/") + 1);
    return { id, name: this.#nameOf(key), etag: recordEtag(key, revision), value: value as T };
  }

  #nameOf = (key: string): string => nameOf(this.#collection, key);
}

/**
 * Describes changes of a collection's resources to the audit log.
 *
 * @param fieldsOf returns the fields that the log shows.
 */
export const auditedResources = <T>(
  collection: ResourceCollection,
  fieldsOf: (value: T) => AuditedFields,
): AuditedKind => ({
  kind: collection.kind,
  resourceOf: (key) => nameOf(collection, key),
  fieldsOf: (value) => fieldsOf(value as T),
  etagOf: ({ key, revision }) => recordEtag(key, revision),
});

const keyOf = (project: ProjectNumber, id: string): string => `${project}/${id}`;

function nameOf({ name }: ResourceCollection, key: string): string {
  const [project, ...id] = key.split("/");
  return `projects/${project}/${name}/${id.join("/")}`;
}
