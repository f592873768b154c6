import { createHash } from "node:crypto";
import { JsonDocument } from "../../control/json-document.js";
import { RECORD_KINDS, type Records } from "../../control/records.js";
import { MAX_EVALUATED_DAYS, MAX_IDENTIFIED_INCIDENTS } from "../../limits/data-limits.js";
import { groupBy } from "../../model/collections.js";
import type { Day } from "../../model/day.js";
import type { ProjectNumber } from "../../model/names.js";
import type { AppIncident, IdentifiedIncident, IncidentPlace } from "./app-incident.js";

/** Number of days for which an undetected incident keeps its id: late events may restore it. */
const REMEMBERED_DAYS = 90;

/** An incident as last detected. */
export interface KnownIncident extends IncidentPlace {
  readonly id: string;
  /** Last day of the incident; the last listed day if the incident was ongoing. */
  readonly lastDay: Day;
}

/**
 * Adds ids to all incidents of apps. Reuses a known incident's id for an incident with the same app, label and outcome.
 * If there are several, the one with the most days in common counts. A new incident's id depends only on its project,
 * position and first day, so that all processes compute the same id, even before it is recorded.
 */
export function identify(
  project: ProjectNumber,
  known: readonly KnownIncident[],
  incidents: readonly AppIncident[],
): readonly IdentifiedIncident[] {
  const ids = new Map<AppIncident, string>();
  const knownOf = groupBy(known, subjectOf);
  for (const [subject, found] of groupBy(incidents, subjectOf)) {
    const taken = new Set<string>();
    const rows = knownOf.get(subject) ?? [];
    for (const { row, incident } of pairsOf(rows, found)) {
      if (taken.has(row.id) || ids.has(incident)) continue;
      ids.set(incident, row.id);
      taken.add(row.id);
    }
    for (const { id } of rows) taken.add(id);
    for (const incident of found) {
      if (ids.has(incident)) continue;
      let id = idOf(project, incident);
      // Another incident began on this day, so it has this id. It has since moved to a different day.
      for (let number = 1; taken.has(id); number++) id = idOf(project, incident, number);
      ids.set(incident, id);
      taken.add(id);
    }
  }
  return incidents.map((incident) => ({ ...incident, id: ids.get(incident) ?? idOf(project, incident) }));
}

/** Returns the known incidents after an evaluation, newest start first. @param until last listed day. */
export function knownAfter(
  project: string,
  known: readonly KnownIncident[],
  found: readonly IdentifiedIncident[],
  until: Day,
): readonly KnownIncident[] {
  const foundIds = new Set(found.map(({ id }) => id));
  const isKept = (row: KnownIncident): boolean =>
    !foundIds.has(row.id) &&
    (row.lastDay > until - REMEMBERED_DAYS ||
      // Moved incidents are kept as long as they are listed, because another incident could otherwise get the same id.
      (row.lastDay > until - MAX_EVALUATED_DAYS && row.id !== idOf(project, row)));
  const rows = found.map(({ id, appId, label, outcome, startDay, endDay = until }) => ({
    id,
    appId,
    label,
    outcome,
    startDay,
    lastDay: endDay,
  }));
  return [...rows, ...known.filter(isKept)]
    .sort((a, b) => b.startDay - a.startDay || (a.id < b.id ? -1 : 1))
    .slice(0, MAX_IDENTIFIED_INCIDENTS);
}

/** Incident ids, shared by all processes. A document per project stores the ids of recent incidents. */
export class IncidentIds {
  readonly #records: Pick<Records, "get" | "change">;
  readonly #byProject = new Map<string, JsonDocument<readonly KnownIncident[]>>();

  constructor(records: Pick<Records, "get" | "change">) {
    this.#records = records;
  }

  /**
   * Adds ids to all incidents of apps.
   *
   * @throws StoreUnavailableError if the records cannot be reached; Error if this record is damaged.
   */
  async of(
    project: ProjectNumber,
    incidents: readonly AppIncident[],
  ): Promise<readonly IdentifiedIncident[]> {
    if (incidents.length === 0) return [];
    return identify(project, (await this.#documentOf(project).read()) ?? [], incidents);
  }

  /**
   * Adds ids to the recent incidents of all apps, and records them.
   *
   * @param until last listed day.
   * @throws the same errors as {@link of}.
   */
  async remember(
    project: string,
    until: Day,
    incidents: readonly AppIncident[],
  ): Promise<readonly IdentifiedIncident[]> {
    let identified: readonly IdentifiedIncident[] = [];
    await this.#documentOf(project).change((before) => {
      identified = identify(project, before ?? [], incidents);
      const after = knownAfter(project, before ?? [], identified, until);
      return before === undefined && after.length === 0 ? undefined : after;
    });
    return identified;
  }

  #documentOf(project: string): JsonDocument<readonly KnownIncident[]> {
    let document = this.#byProject.get(project);
    if (document === undefined) {
      document = new JsonDocument(this.#records, RECORD_KINDS.incidents, project);
      this.#byProject.set(project, document);
    }
    return document;
  }
}

/** Pairs detected and known incidents with common days, the ones with the most common days first. */
function pairsOf(known: readonly KnownIncident[], found: readonly AppIncident[]) {
  return known
    .flatMap((row) =>
      found.map((incident) => {
        const last = Math.min(row.lastDay, incident.endDay ?? Number.POSITIVE_INFINITY);
        return { row, incident, days: last - Math.max(row.startDay, incident.startDay) + 1 };
      }),
    )
    .filter(({ days }) => days > 0)
    .sort((a, b) => b.days - a.days || a.incident.startDay - b.incident.startDay);
}

const subjectOf = ({ appId, label, outcome }: IncidentPlace): string =>
  JSON.stringify([appId, label ?? null, outcome]);

/**
 * @param number distinguishes incidents that began on the same day. All but one of them have since moved to another
 * day.
 */
const idOf = (project: string, { appId, label, outcome, startDay }: IncidentPlace, number = 0): string =>
  createHash("sha256")
    .update(JSON.stringify([project, appId, label ?? null, outcome, startDay, number]))
    .digest("hex")
    .slice(0, 16);
