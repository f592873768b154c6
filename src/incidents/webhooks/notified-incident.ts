import { create, toJson } from "@bufbuild/protobuf";
import { AndroidIncidentSchema } from "../../gen/waybill/messagingdata/v1beta1/incident_pb.js";
import { ProjectSchema } from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import type { Day } from "../../model/day.js";
import type { Project } from "../../model/names.js";
import { type IdentifiedIncident, incidentMessage } from "../list/app-incident.js";

/** State of an incident that is told: it goes on, it has ended, or it is none after all because of late events. */
export type IncidentState = "started" | "ended" | "withdrawn";

/** An incident as a webhook knows it. */
export interface NotifiedIncident {
  /** Prefix of the ids of its messages. Unique, since several webhooks may have the same address. */
  readonly key: string;
  /** The incident when its state or its days changed last. */
  readonly incident: IdentifiedIncident;
  readonly state: IncidentState;
  /** Number of the state among those of the incident, from 1. */
  readonly change: number;
  /** When the state was found, in milliseconds since the Unix epoch. */
  readonly since: number;
  /** The state that was told last; missing before the first. */
  readonly told?: IncidentState;
  /** A state that is not told: it was old when it was found, or could not be delivered for too long. */
  readonly skipped?: IncidentState;
  /** True if the receiver may know the incident although nothing was told: an attempt got no response. */
  readonly isUncertain?: boolean;
}

/** The incidents of a project as a webhook knows them. */
export interface NotifiedIncidents {
  /** Last day that was evaluated. */
  readonly until: Day;
  /** Those that go on, and those that ended lately. */
  readonly incidents: readonly NotifiedIncident[];
}

/** Returns true if the state of an incident is still to be told. */
export const isDue = ({ state, told, skipped }: NotifiedIncident): boolean =>
  state !== told && state !== skipped;

/** Identifies a state of an incident: the same for each attempt to tell it. */
export const messageIdOf = ({ key, change }: NotifiedIncident): string => `${key}-${change}`;

/** A message to a webhook. */
export interface WebhookMessage {
  /** The same for each attempt to send it. */
  readonly id: string;
  /** JSON. */
  readonly body: string;
}

/** Makes the message that tells the state of an incident. The project and the incident are as in the API. */
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
