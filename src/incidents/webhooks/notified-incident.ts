import { create, toJson } from "@bufbuild/protobuf";
import { AndroidIncidentSchema } from "../../gen/waybill/messagingdata/v1beta1/incident_pb.js";
import { ProjectSchema } from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import type { Day } from "../../model/day.js";
import type { Project } from "../../model/names.js";
import { type IdentifiedIncident, incidentMessage } from "../list/app-incident.js";

/** Reported state of an incident: ongoing, ended, or withdrawn after late events. */
export type IncidentState = "started" | "ended" | "withdrawn";

/** An incident with its delivery state for a webhook. */
export interface NotifiedIncident {
  /** Prefix of its message ids. Unique, because several webhooks may have the same URL. */
  readonly key: string;
  /** The incident when its state or days last changed. */
  readonly incident: IdentifiedIncident;
  readonly state: IncidentState;
  /** Sequence number of the state, from 1. */
  readonly change: number;
  /** Time of detection of the state, in milliseconds since the Unix epoch. */
  readonly since: number;
  /** Last delivered state. Omitted before the first delivery. */
  readonly told?: IncidentState;
  /** A state that is not sent: it was old when it was detected, or could not be delivered for too long. */
  readonly skipped?: IncidentState;
  /** True if the receiver may know the incident although nothing was delivered: an attempt got no response. */
  readonly isUncertain?: boolean;
}

/** Incidents of a project with their delivery state. */
export interface NotifiedIncidents {
  /** Last evaluated day. */
  readonly until: Day;
  /** Ongoing and recently ended incidents. */
  readonly incidents: readonly NotifiedIncident[];
}

/** Returns true if a state has yet to be sent. */
export const isDue = ({ state, told, skipped }: NotifiedIncident): boolean =>
  state !== told && state !== skipped;

/** Returns a state's message id: the same for each attempt. */
export const messageIdOf = ({ key, change }: NotifiedIncident): string => `${key}-${change}`;

/** A message to a webhook. */
export interface WebhookMessage {
  /** The same for each attempt. */
  readonly id: string;
  /** JSON. */
  readonly body: string;
}

/** Returns the message about an incident's state. The project and the incident have the API's format. */
export function webhookMessage({ id, number }: Project, known: NotifiedIncident): WebhookMessage {
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
