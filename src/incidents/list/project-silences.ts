import { byBytes } from "../../model/collections.js";
import { type AppIncident, isOfVolume } from "./app-incident.js";

/**
 * Removes all but one of the silences that a project's apps have on the same days because the whole project has no
 * messages. Keeps the one that began first, of the first app in byte order.
 */
export function withoutRepeatedSilences<T extends AppIncident>(incidents: readonly T[]): readonly T[] {
  const ofProject = incidents.filter((incident) => isOfVolume(incident) && incident.isOfProject);
  if (ofProject.length < 2) return incidents;
  const kept: T[] = [];
  for (const silence of ofProject.sort((a, b) => a.startDay - b.startDay || byBytes(a.appId, b.appId))) {
    const { startDay } = silence;
    if (!kept.some(({ endDay }) => endDay === undefined || endDay >= startDay)) kept.push(silence);
  }
  const repeated = new Set(ofProject.filter((silence) => !kept.includes(silence)));
  return incidents.filter((incident) => !repeated.has(incident));
}
