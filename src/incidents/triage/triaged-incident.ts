import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { AnnotationList } from "../../annotations/annotations.js";
import { nearestAnnotation } from "../../annotations/nearest-annotation.js";
import {
  type AndroidIncident,
  AndroidIncident_State as State,
} from "../../gen/waybill/messagingdata/v1beta1/incident_pb.js";
import type { ProjectNumber } from "../../model/names.js";
import { type IdentifiedIncident, incidentMessage } from "../list/app-incident.js";
import { type DeliveriesOf, readDeliveries, type WebhookStates } from "../webhooks/webhook-deliveries.js";
import { acknowledgementOf, etagOf, type StoredTriage } from "./incident-triage.js";

/** An incident with its acknowledgement and note. */
export type TriagedIncident = IdentifiedIncident & { readonly triage: StoredTriage };

export function stateOf({ triage, ...incident }: TriagedIncident): State {
  if (incident.endDay !== undefined) return State.ENDED;
  return acknowledgementOf(incident, triage) === undefined ? State.OPEN : State.ACKNOWLEDGED;
}

/** Sources of fields that are not detected. */
export interface MessageSources {
  readonly webhooks: readonly WebhookStates[];
  readonly annotations: AnnotationList;
}

/** Converts incidents to API messages with all fields. @throws StoreUnavailableError if the records cannot be read. */
export async function triagedMessages(
  { webhooks, annotations }: MessageSources,
  project: ProjectNumber,
  incidents: readonly TriagedIncident[],
): Promise<AndroidIncident[]> {
  if (incidents.length === 0) return [];
  const deliveriesOf = await readDeliveries(webhooks, project);
  const recorded = await annotations.list(project);
  return incidents.map((incident) => messageOf(project, incident, deliveriesOf, recorded));
}

function messageOf(
  project: ProjectNumber,
  incident: TriagedIncident,
  deliveriesOf: DeliveriesOf,
  recorded: Awaited<ReturnType<AnnotationList["list"]>>,
): AndroidIncident {
  const { id, appId, triage } = incident;
  const acknowledgement = acknowledgementOf(incident, triage);
  const { note } = triage;
  return Object.assign(incidentMessage(incident, nearestAnnotation(recorded, incident)), {
    name: `projects/${project}/androidApps/${appId}/incidents/${id}`,
    state: stateOf(incident),
    ...(acknowledgement && {
      acknowledgePrincipal: acknowledgement.principal,
      acknowledgeTime: timestampFromMs(acknowledgement.time),
    }),
    ...(note && {
      note: note.text,
      notePrincipal: note.principal,
      noteTime: timestampFromMs(note.time),
    }),
    webhookDeliveries: deliveriesOf(id),
    etag: etagOf({ project, appId, id }, triage),
  });
}
