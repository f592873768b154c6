import type { ProjectCaller } from "../../api/caller.js";
import type { CallContext } from "../../api/service.js";
import type { Day } from "../../model/day.js";
import { ALL_APPS, isAppId } from "../../model/names.js";
import { type IncidentTriage, NO_TRIAGE } from "../triage/incident-triage.js";
import type { TriagedIncident } from "../triage/triaged-incident.js";
import type { AppIncidents } from "./app-incidents.js";
import type { IncidentIds } from "./incident-ids.js";

export interface ListedIncidents {
  readonly incidents: Pick<AppIncidents, "of">;
  readonly ids: Pick<IncidentIds, "of">;
  readonly triage: Pick<IncidentTriage, "list">;
  /** Returns the last listed day. */
  readonly lastListedDay: () => Day;
}

/**
 * Reads incidents of the app that a call names, or of all apps, in list order.
 *
 * @throws the same errors as {@link AppIncidents.of} and {@link IncidentIds.of}.
 */
export async function readIncidents(
  { incidents, ids, triage, lastListedDay }: ListedIncidents,
  { caller, resource, signal }: Pick<CallContext<ProjectCaller>, "caller" | "resource" | "signal">,
): Promise<readonly TriagedIncident[]> {
  const project = caller.project.number;
  const appId = resource.idIn("androidApps");
  if (!isAppId(appId)) return [];
  const app = appId === ALL_APPS ? {} : { appId };
  const apps = { project, until: lastListedDay(), ...app };
  const found = await ids.of(project, await incidents.of(apps, signal, caller.budgetKey));
  if (found.length === 0) return [];
  const triages = await triage.list(project, app.appId);
  return found.map((incident) => ({ ...incident, triage: triages.get(incident.id) ?? NO_TRIAGE }));
}
