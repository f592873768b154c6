import { MAX_TOLD_INCIDENTS } from "../../../limits/limits.js";
import type { Day } from "../../../model/day.js";
import { groupBy } from "../../../model/group-by.js";
import type { AppIncident } from "../list/app-incident.js";
import { type IncidentState, isDue, type ToldIncident, type ToldIncidents } from "./told-incident.js";

/** Days for which an end, and at first a start, is news. */
const RECENT_DAYS = 7;
/** Days after its end for which an incident is remembered: longer, since late events may move its end. */
const REMEMBERED_DAYS = 14;
/** Days after its start after which an incident has certainly ended: eight weeks, and two without messages. */
const MAX_DAYS = 90;
/** Days by which the clocks of processes may seem to differ around midnight. */
const SKEW_DAYS = 1;

/** A judgement of a project. */
export interface Judgement {
  /** Last day that was judged. */
  readonly until: Day;
  /** The incidents of all apps. */
  readonly incidents: readonly AppIncident[];
  /** Time in milliseconds since the Unix epoch. */
  readonly now: number;
  /** Makes the id of an incident. */
  readonly newId: () => string;
}

/**
 * Compares what a webhook knows of a project with a judgement of it, and returns what it knows then. The same judgement
 * changes nothing. An incident is the known one of the same app, label and outcome if they have a day in common.
 *
 * @param before `undefined` before the first judgement: what began long before it is then no news.
 */
export function reconcile(before: ToldIncidents | undefined, judgement: Judgement): ToldIncidents {
  const { until, now } = judgement;
  // A process whose clock is a little behind knows nothing newer.
  if (before !== undefined && until < before.until && until >= before.until - SKEW_DAYS) return before;
  const found = new FoundIncidents(judgement.incidents);
  const known = (before?.incidents ?? []).flatMap((row) => {
    const same = found.take(row.incident);
    return (same === undefined ? missing(row, judgement) : foundAgain(row, same, judgement)) ?? [];
  });
  for (const incident of found.others()) {
    if (known.length >= MAX_TOLD_INCIDENTS) break;
    if (!isSince(until - RECENT_DAYS, incident.endDay)) continue;
    const state = stateOf(incident);
    const isOld = before === undefined && !isSince(until - RECENT_DAYS, incident.endDay ?? incident.startDay);
    const row = { id: judgement.newId(), incident, state, change: 1, since: now };
    known.push(isOld ? { ...row, skipped: state } : row);
  }
  return { until, incidents: known };
}

/** Returns what is known of an incident that was found again; `undefined` if it may be forgotten. */
function foundAgain(
  row: ToldIncident,
  incident: AppIncident,
  { until, now }: Judgement,
): ToldIncident | undefined {
  const state = stateOf(incident);
  const { startDay, endDay } = row.incident;
  const hasMoved = incident.startDay !== startDay || incident.endDay !== endDay;
  if (state !== row.state) return { ...row, incident, state, change: row.change + 1, since: now };
  if (!isDue(row) && !isSince(until - REMEMBERED_DAYS, incident.endDay)) return undefined;
  return hasMoved ? { ...row, incident } : row;
}

/** Returns what is known of an incident that is not found any more; `undefined` if it may be forgotten. */
function missing(row: ToldIncident, { until, now }: Judgement): ToldIncident | undefined {
  if (!isSince(until - MAX_DAYS, row.incident.startDay)) return undefined;
  const isUnknown = row.told === undefined && row.isUncertain !== true;
  if (isUnknown || (row.state === "withdrawn" && !isDue(row))) return undefined;
  if (row.state === "withdrawn") return row;
  return { ...row, state: "withdrawn", change: row.change + 1, since: now };
}

const stateOf = ({ endDay }: AppIncident): IncidentState => (endDay === undefined ? "started" : "ended");

/** @param day missing for the end of an incident that goes on. */
const isSince = (first: Day, day: Day | undefined): boolean => day === undefined || day > first;

/** Found incidents, of which each is taken once. */
class FoundIncidents {
  /** By what they are of, oldest first. */
  readonly #bySubject: ReadonlyMap<string, AppIncident[]>;

  constructor(incidents: readonly AppIncident[]) {
    const sorted = [...incidents].sort((a, b) => a.startDay - b.startDay);
    this.#bySubject = groupBy(sorted, subjectOf);
  }

  /** Takes the first incident that has a day in common with a known one. */
  take(known: AppIncident): AppIncident | undefined {
    const candidates = this.#bySubject.get(subjectOf(known)) ?? [];
    const index = candidates.findIndex((candidate) => overlap(candidate, known));
    return index < 0 ? undefined : candidates.splice(index, 1)[0];
  }

  /** Returns those that were not taken, newest start first. */
  others(): AppIncident[] {
    return [...this.#bySubject.values()].flat().sort((a, b) => b.startDay - a.startDay);
  }
}

const subjectOf = ({ appId, label, outcome }: AppIncident): string =>
  JSON.stringify([appId, label ?? null, outcome]);

const overlap = (a: AppIncident, b: AppIncident): boolean =>
  a.startDay <= (b.endDay ?? Number.POSITIVE_INFINITY) &&
  b.startDay <= (a.endDay ?? Number.POSITIVE_INFINITY);
