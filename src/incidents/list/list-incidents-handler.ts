import { create } from "@bufbuild/protobuf";
import type { AnnotationList } from "../../annotations/annotations.js";
import { nearestAnnotation } from "../../annotations/nearest-annotation.js";
import type { ProjectCaller } from "../../api/caller.js";
import type { CallContext } from "../../api/service.js";
import {
  type ListAndroidIncidentsRequest,
  type ListAndroidIncidentsResponse,
  ListAndroidIncidentsResponseSchema,
  MessagingDataService,
} from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { readFilter } from "../../messaging-data/delivery-data/filter/read-filter.js";
import type { Day } from "../../model/day.js";
import { ALL_APPS, isAppId } from "../../model/names.js";
import { itemsAfter, readPageOf } from "../../paging/page.js";
import type { PageTokens } from "../../paging/page-tokens.js";
import { byPlace, type IdentifiedIncident, incidentMessage, readPlace, writePlace } from "./app-incident.js";
import type { AppIncidents } from "./app-incidents.js";
import { INCIDENT_FILTERS } from "./incident-filters.js";
import type { IncidentIds } from "./incident-ids.js";

const operation = MessagingDataService.method.listAndroidIncidents.name;

/** Dependencies of the handler. */
export interface ListIncidentsDependencies {
  readonly incidents: Pick<AppIncidents, "of">;
  readonly ids: Pick<IncidentIds, "of">;
  readonly annotations: AnnotationList;
  readonly tokens: PageTokens;
  /** Returns the last listed day. */
  readonly lastListedDay: () => Day;
}

/** Creates the handler of `ListAndroidIncidents`. */
export function listIncidentsHandler({
  incidents,
  ids,
  annotations,
  tokens,
  lastListedDay,
}: ListIncidentsDependencies) {
  return async (
    request: ListAndroidIncidentsRequest,
    context: CallContext<ProjectCaller>,
  ): Promise<ListAndroidIncidentsResponse> => {
    const { caller, signal } = context;
    const project = caller.project.number;
    const appId = context.resource.idIn("androidApps");
    const filter = readFilter(request.filter, INCIDENT_FILTERS);
    const read = async (
      position: string | undefined,
      limit: number,
    ): Promise<readonly IdentifiedIncident[]> => {
      if (!isAppId(appId)) return [];
      const apps = { project, until: lastListedDay(), ...(appId !== ALL_APPS && { appId }) };
      const found = await ids.of(project, await incidents.of(apps, signal, caller.budgetKey));
      const selected = filter === undefined ? found : found.filter(filter.condition);
      const after = position === undefined ? undefined : readPlace(position);
      return itemsAfter(selected, (incident) => after === undefined || byPlace(incident, after) > 0, limit);
    };
    const parent = `projects/${project}/androidApps/${appId}`;
    const list = { operation, parent, filter: filter?.digest, read, positionOf: writePlace };
    const { items, nextPageToken } = await readPageOf(list, request, tokens);
    const recorded = items.length === 0 ? [] : await annotations.list(project);
    return create(ListAndroidIncidentsResponseSchema, {
      incidents: items.map((incident) => incidentMessage(incident, nearestAnnotation(recorded, incident))),
      nextPageToken,
    });
  };
}
