import { create, toJson } from "@bufbuild/protobuf";
import { AndroidIncidentSchema } from "../../gen/waybill/messagingdata/v1beta1/incident_pb.js";
import { ProjectSchema } from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import type { Project } from "../../model/project.js";
import { incidentMessage } from "../list/incident-message.js";
import { messageIdOf, type ToldIncident } from "./told-incident.js";

/** A message to a webhook. */
export interface WebhookMessage {
  /** The same for each attempt to send it. */
  readonly id: string;
  /** JSON. */
  readonly body: string;
}

/** Makes the message that tells the state of an incident. The project and the incident are as in the API. */
export function webhookMessage({ id, number }: Project, known: ToldIncident): WebhookMessage {
  const body = {
    type: `incident.${known.state}`,
    timestamp: new Date(known.since).toISOString(),
    data: {
      id: known.incident.id,
      project: toJson(ProjectSchema, create(ProjectSchema, { name: `projects/${number}`, projectId: id })),
      incident: toJson(AndroidIncidentSchema, incidentMessage(known.incident)),
    },
  };
  return { id: messageIdOf(known), body: JSON.stringify(body) };
}
