import { create, toJson } from "@bufbuild/protobuf";
import { AndroidIncidentSchema } from "../../gen/waybill/messagingdata/v1beta1/incident_pb.js";
import { ProjectSchema } from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import type { Day } from "../../model/day.js";
import type { Project } from "../../model/names.js";
import { type IdentifiedIncident, incidentMessage } from "../list/app-incident.js";

/** State of an incident: ongoing, ended, or withdrawn because of late events. */
export type IncidentState = "started" | "ended" | "withdrawn";

/** An incident with its delivery state for a webhook. */
export interface NotifiedIncident {
  /**
   * Random prefix of the message ids for this incident. Several webhooks can have the same URL, so it must be unique.
   */
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
  /** A state that is not sent, because it was old when it was detected. */
  readonly skipped?: IncidentState;
  /** A state that is not sent again, because it could not be delivered for too long. */
  readonly givenUp?: IncidentState;
  /** True if an attempt got no response, so that the receiver can know the incident although nothing was delivered. */
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
export const isDue = ({ state, told, skipped, givenUp }: NotifiedIncident): boolean =>
  state !== told && state !== skipped && state !== givenUp;

/** Returns the message type for a state. */
export const messageTypeOf = ({ state }: NotifiedIncident): string => `incident.${state}`;

/** Returns the message id for a state. Each attempt has the same id. */
export const messageIdOf = ({ key, change }: NotifiedIncident): string => `${key}-${change}`;

/** A message to a webhook. */
export interface WebhookMessage {
  /** Message id, the same for each attempt. */
  readonly id: string;
  /** Message body, in JSON. */
  readonly body: string;
}

/**
 * Returns the message about a state of an incident. The project and the incident have the same format as in the API.
 */
export function webhookMessage({ id, number }: Project, known: NotifiedIncident): WebhookMessage {
  const body = {
    type: messageTypeOf(known),
    timestamp: new Date(known.since).toISOString(),
    data: {
      id: known.incident.id,
      project: toJson(ProjectSchema, create(ProjectSchema, { name: `projects/${number}`, projectId: id })),
      incident: toJson(AndroidIncidentSchema, incidentMessage(known.incident)),
    },
  };
  return { id: messageIdOf(known), body: JSON.stringify(body) };
}
