import {
  allRecords,
  type Json,
  RECORD_KINDS,
  type Records,
  type StoredRecord,
} from "../../control/records.js";
import { retryConflicts } from "../../control/retry-conflicts.js";
import { MAX_EVALUATED_DAYS, MAX_TRIAGED_INCIDENTS } from "../../limits/data-limits.js";
import { type Clock, DAY_MS, type UnixMillis } from "../../model/clock.js";
import type { ProjectNumber } from "../../model/names.js";
import type { AuditedKind } from "../../registry/audit/audit-log.js";
import type { AuditNote } from "../../registry/audit/audit-note.js";
import { recordEtag } from "../../registry/entries.js";
import { type AppIncident, isOfVolume } from "../list/app-incident.js";

/** Who did something, and when. */
interface Mark {
  readonly principal: string;
  readonly time: UnixMillis;
}

/** Acknowledgement and note of an incident. */
export interface Triage {
  /** The acknowledgement. An acknowledgement of a fall ({@link isOfFall}) does not apply to a silence. */
  readonly acknowledgement?: (Mark & { readonly isOfFall?: boolean }) | undefined;
  readonly note?: (Mark & { readonly text: string }) | undefined;
}

export interface StoredTriage extends Triage {
  /** Revision of the record; 0 if there is none. */
  readonly revision: number;
}

/** Identifies an incident, with the project number. */
export interface IncidentKey {
  readonly project: ProjectNumber;
  readonly appId: string;
  readonly id: string;
}

const KIND = RECORD_KINDS.incidentTriage;

/**
 * Time after which a record expires. An incident is ongoing for at most 90 days, and listed for 400 days after its end.
 */
const KEPT_MS = (MAX_EVALUATED_DAYS + 100) * DAY_MS;

/** Triage of an incident without acknowledgement and note. */
export const NO_TRIAGE: StoredTriage = { revision: 0 };

/** Acknowledgements and notes of incidents, with one record for each incident. */
export class IncidentTriage {
  readonly #records: Pick<Records, "get" | "list" | "change">;
  readonly #clock: Clock;

  constructor(records: Pick<Records, "get" | "list" | "change">, clock: Clock) {
    this.#records = records;
    this.#clock = clock;
  }

  /**
   * Returns a project's triages by incident id.
   *
   * @param appId omitted for all apps of the project.
   * @throws StoreUnavailableError if the records cannot be read.
   */
  async list(project: ProjectNumber, appId?: string): Promise<ReadonlyMap<string, StoredTriage>> {
    const prefix = appId === undefined ? `${project}/` : `${project}/${appId}/`;
    const records = await allRecords(this.#records, KIND, prefix);
    return new Map(records.map((record) => [idIn(record.key), triageOf(record)]));
  }

  /**
   * Changes an incident's triage.
   *
   * @param after returns the new triage, or the old one to change nothing. An error that it throws rejects the change.
   *   Called again if another process changes the record first.
   * @returns `undefined` if the project has the maximum number of triaged incidents.
   * @throws StoreUnavailableError if it is unknown whether the change was stored; the error of `after`.
   */
  change(
    incident: IncidentKey,
    note: AuditNote,
    after: (before: StoredTriage, now: UnixMillis) => Triage,
  ): Promise<StoredTriage | undefined> {
    const key = keyOf(incident);
    return retryConflicts(`the incident ${key}`, async () => {
      const found = await this.#records.get(KIND, key);
      const before = triageOf(found);
      const now = this.#clock.wall();
      const { acknowledgement, note: text } = after(before, now);
      if (acknowledgement === before.acknowledgement && text === before.note) return { result: before };
      if (found === undefined && !(await this.#hasRoom(incident.project))) return { result: undefined };
      const next: Triage = { ...(acknowledgement && { acknowledgement }), ...(text && { note: text }) };
      const isEmpty = Object.keys(next).length === 0;
      const revision = await this.#records.change([
        {
          kind: KIND,
          key,
          value: isEmpty ? undefined : (next as Json),
          ifRevision: before.revision,
          expireTime: now + KEPT_MS,
          note: { ...note, etagBefore: etagOf(incident, before) },
        },
      ]);
      return revision === undefined ? undefined : { result: { ...next, revision: isEmpty ? 0 : revision } };
    });
  }

  async #hasRoom(project: ProjectNumber): Promise<boolean> {
    return (await this.list(project)).size < MAX_TRIAGED_INCIDENTS;
  }
}

/** Returns the acknowledgement that applies to an incident. One of a fall does not apply once the fall is a silence. */
export const acknowledgementOf = (
  incident: AppIncident,
  { acknowledgement }: Triage,
): Triage["acknowledgement"] =>
  acknowledgement?.isOfFall && isOfVolume(incident) && incident.kind === "silence"
    ? undefined
    : acknowledgement;

/** Returns an etag for an incident's acknowledgement and note. */
export const etagOf = (incident: IncidentKey, { revision }: Pick<StoredTriage, "revision">): string =>
  recordEtag(keyOf(incident), revision);

/** Describes acknowledgements and notes to the audit log. */
export const AUDITED_TRIAGE: AuditedKind = {
  kind: KIND,
  resourceOf: (key) => {
    const [project, appId, id] = key.split("/");
    return `projects/${project}/androidApps/${appId}/incidents/${id}`;
  },
  fieldsOf: (value) => {
    const { acknowledgement, note } = value as Triage;
    return { acknowledgePrincipal: acknowledgement?.principal, note: note?.text };
  },
  etagOf: ({ key, revision }) => recordEtag(key, revision),
};

const triageOf = (record: StoredRecord | undefined): StoredTriage =>
  record === undefined ? NO_TRIAGE : { ...(record.value as Triage), revision: record.revision };

/** App ids contain no slashes. */
const keyOf = ({ project, appId, id }: IncidentKey): string => `${project}/${appId}/${id}`;

const idIn = (key: string): string => key.slice(key.lastIndexOf("/") + 1);
