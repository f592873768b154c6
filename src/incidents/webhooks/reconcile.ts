import { MAX_NOTIFIED_INCIDENTS } from "../../limits/data-limits.js";
import type { Day } from "../../model/day.js";
import type { IdentifiedIncident } from "../list/app-incident.js";
import {
  type IncidentState,
  isDue,
  type NotifiedIncident,
  type NotifiedIncidents,
} from "./notified-incident.js";

/**
 * Number of days for which an incident's end is sent. Also applies to the start of incidents found by the first
 * evaluation.
 */
const RECENT_DAYS = 7;
/**
 * Number of days for which an incident is kept after its end. It is longer than {@link RECENT_DAYS}, because late
 * events can move the end.
 */
const REMEMBERED_DAYS = 14;
/** Number of days after which an incident has certainly ended: eight weeks, and two more weeks without messages. */
const MAX_DAYS = 90;
/** Maximum number of days by which processes can differ around midnight. */
const SKEW_DAYS = 1;

export interface Evaluation {
  /** Last evaluated day. */
  readonly until: Day;
  /** Incidents of all apps. */
  readonly incidents: readonly IdentifiedIncident[];
  /** Time in milliseconds since the Unix epoch. */
  readonly now: number;
  readonly newKey: () => string;
}

/**
 * Updates the known incidents of a webhook after an evaluation of their project. A repeated evaluation changes nothing.
 *
 * @param before `undefined` before the first evaluation: old incidents are then recorded without a message.
 */
export function reconcile(before: NotifiedIncidents | undefined, evaluation: Evaluation): NotifiedIncidents {
  const { until, now } = evaluation;
  // A process with a slow clock has no new information.
  if (before !== undefined && until < before.until && until >= before.until - SKEW_DAYS) return before;
  const found = new Map(evaluation.incidents.map((incident) => [incident.id, incident]));
  const known = (before?.incidents ?? []).flatMap((row) => {
    const same = found.get(row.incident.id);
    found.delete(row.incident.id);
    return (same === undefined ? missing(row, evaluation) : foundAgain(row, same, evaluation)) ?? [];
  });
  for (const incident of [...found.values()].sort((a, b) => b.startDay - a.startDay)) {
    if (known.length >= MAX_NOTIFIED_INCIDENTS) break;
    if (!isSince(until - RECENT_DAYS, incident.endDay)) continue;
    const state = stateOf(incident);
    const isOld = before === undefined && !isSince(until - RECENT_DAYS, incident.endDay ?? incident.startDay);
    const row = { key: evaluation.newKey(), incident, state, change: 1, since: now };
    known.push(isOld ? { ...row, skipped: state } : row);
  }
  return { until, incidents: known };
}

/** Updates an incident that was detected again. Returns `undefined` to drop it. */
function foundAgain(
  row: NotifiedIncident,
  incident: IdentifiedIncident,
  { until, now }: Evaluation,
): NotifiedIncident | undefined {
  const state = stateOf(incident);
  const { startDay, endDay } = row.incident;
  const hasMoved = incident.startDay !== startDay || incident.endDay !== endDay;
  if (state !== row.state) return { ...row, incident, state, change: row.change + 1, since: now };
  if (!isDue(row) && !isSince(until - REMEMBERED_DAYS, incident.endDay)) return undefined;
  return hasMoved ? { ...row, incident } : row;
}

/** Updates an incident that is no longer detected. Returns `undefined` to drop it. */
function missing(row: NotifiedIncident, { until, now }: Evaluation): NotifiedIncident | undefined {
  if (!isSince(until - MAX_DAYS, row.incident.startDay)) return undefined;
  const isUnknown = row.delivered === undefined && row.isUncertain !== true;
  if (isUnknown || (row.state === "withdrawn" && !isDue(row))) return undefined;
  if (row.state === "withdrawn") return row;
  return { ...row, state: "withdrawn", change: row.change + 1, since: now };
}

const stateOf = ({ endDay }: IdentifiedIncident): IncidentState =>
  endDay === undefined ? "started" : "ended";

/** @param day `undefined` if the incident is ongoing. */
const isSince = (first: Day, day: Day | undefined): boolean => day === undefined || day > first;
