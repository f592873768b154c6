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
import { ALL_APPS, isAppId } from "../../model/app-id.js";
import type { Day } from "../../model/day.js";
import { pageOf } from "../../paging/page-of.js";
import { effectivePageSize } from "../../paging/page-size.js";
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
  readonly tokens: PageTokens;
  /** Returns the last day that is listed now. */
  readonly lastListedDay: () => Day;
}

/** Makes the handler of `ListAndroidIncidents`. */
export function listIncidentsHandler({ incidents, ids, tokens, lastListedDay }: ListIncidentsDependencies) {
  return async (
    request: ListAndroidIncidentsRequest,
    context: CallContext<ProjectCaller>,
  ): Promise<ListAndroidIncidentsResponse> => {
    const { caller, signal } = context;
    const project = caller.project.number;
    const appId = context.resource.idIn("androidApps");
    const filter = readFilter(request.filter, INCIDENT_FILTERS);
    const list = {
      operation,
      parent: `projects/${project}/androidApps/${appId}`,
      pageSize: effectivePageSize(request.pageSize),
      filter: filter?.digest,
    };
    const position = tokens.read(request.pageToken, list);
    if (!isAppId(appId)) return create(ListAndroidIncidentsResponseSchema);

    const apps = { project, until: lastListedDay(), ...(appId !== ALL_APPS && { appId }) };
    const found = await ids.of(project, await incidents.of(apps, signal, caller.budgetKey));
    const after = position === undefined ? undefined : readPlace(position);
    const isBehind = (incident: IdentifiedIncident) => after === undefined || byPlace(incident, after) > 0;
    const selected = filter === undefined ? found : found.filter(filter.condition);
    const { items, last } = pageOf(selected, isBehind, list.pageSize);
    return create(ListAndroidIncidentsResponseSchema, {
      incidents: items.map(incidentMessage),
      nextPageToken: last === undefined ? "" : tokens.tokenOf(list, writePlace(last)),
    });
  };
}
