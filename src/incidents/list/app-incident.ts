import { byBytes } from "../../model/by-bytes.js";
import type { Day } from "../../model/day.js";
import { OUTCOMES } from "../daily-counts.js";
import type { Incident } from "../incident.js";

/** An incident of an app. */
export interface AppIncident extends Incident {
  readonly appId: string;
}

/** The properties that determine the place of an incident in a list. No two incidents have the same place. */
export type IncidentPlace = Pick<AppIncident, "startDay" | "appId" | "label" | "outcome">;

/**
 * Compares incidents by the order of the list: newest start first, then app id in byte order, the whole app before its
 * labels, then label in byte order, then outcome.
 */
export const byPlace = (a: IncidentPlace, b: IncidentPlace): number =>
  b.startDay - a.startDay ||
  byBytes(a.appId, b.appId) ||
  Number(a.label !== undefined) - Number(b.label !== undefined) ||
  byBytes(a.label ?? "", b.label ?? "") ||
  OUTCOMES.indexOf(a.outcome) - OUTCOMES.indexOf(b.outcome);

/** Writes the place of an incident for a page token. */
export const writePlace = ({ startDay, appId, label, outcome }: IncidentPlace): string =>
  JSON.stringify([startDay, appId, label ?? null, outcome]);

/** Reads what {@link writePlace} wrote. */
export function readPlace(text: string): IncidentPlace {
  const [startDay, appId, label, outcome] = JSON.parse(text) as [
    Day,
    string,
    string | null,
    AppIncident["outcome"],
  ];
  return { startDay, appId, label: label ?? undefined, outcome };
}
