import { create } from "@bufbuild/protobuf";
import type { ProjectCaller } from "../../api/caller.js";
import type { CallContext } from "../../api/service.js";
import {
  type ListAndroidIncidentsRequest,
  type ListAndroidIncidentsResponse,
  ListAndroidIncidentsResponseSchema,
  MessagingDataService,
} from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { readFilter } from "../../messaging-data/delivery-data/filter/read-filter.js";
import { itemsAfter, readPageOf } from "../../paging/page.js";
import type { PageTokens } from "../../paging/page-tokens.js";
import { type MessageSources, type TriagedIncident, triagedMessages } from "../triage/triaged-incident.js";
import { byPlace, readPlace, writePlace } from "./app-incident.js";
import { INCIDENT_FILTERS } from "./incident-filters.js";
import { type ListedIncidents, readIncidents } from "./read-incidents.js";

const operation = MessagingDataService.method.listAndroidIncidents.name;

export interface ListIncidentsDependencies extends ListedIncidents, MessageSources {
  readonly tokens: PageTokens;
}

export function listIncidentsHandler(dependencies: ListIncidentsDependencies) {
  return async (
    request: ListAndroidIncidentsRequest,
    context: CallContext<ProjectCaller>,
  ): Promise<ListAndroidIncidentsResponse> => {
    const project = context.caller.project.number;
    const filter = readFilter(request.filter, INCIDENT_FILTERS);
    const read = async (position: string | undefined, limit: number): Promise<readonly TriagedIncident[]> => {
      const found = await readIncidents(dependencies, context);
      const selected = filter === undefined ? found : found.filter(filter.condition);
      const after = position === undefined ? undefined : readPlace(position);
      return itemsAfter(selected, (incident) => after === undefined || byPlace(incident, after) > 0, limit);
    };
    const parent = `projects/${project}/androidApps/${context.resource.idIn("androidApps")}`;
    const list = { operation, parent, filter: filter?.digest, read, positionOf: writePlace };
    const { items, nextPageToken } = await readPageOf(list, request, dependencies.tokens);
    return create(ListAndroidIncidentsResponseSchema, {
      incidents: await triagedMessages(dependencies, project, items),
      nextPageToken,
    });
  };
}
