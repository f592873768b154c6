import { create, toJson } from "@bufbuild/protobuf";
import { AndroidIncidentSchema } from "../../gen/waybill/messagingdata/v1beta1/incident_pb.js";
import { ProjectSchema } from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import type { Day } from "../../model/day.js";
import type { Project } from "../../model/names.js";
import { type IdentifiedIncident, incidentMessage } from "../list/app-incident.js";

/** Kinds of messages that a webhook can receive. */
export const WEBHOOK_EVENTS = ["incidents", "targets", "reports"] as const;

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** State of an incident: ongoing, ended, or withdrawn because of late events. */
export type IncidentState = "started" | "ended" | "withdrawn";

/** A state that a webhook is notified of, with its delivery. */
export interface NotifiedState<S extends string> {
  /**
   * Random prefix of the message ids for this incident, target or report. Several webhooks can have the same URL, so it
   * must be unique.
   */
  readonly key: string;
  readonly state: S;
  /** Sequence number of the state, from 1. */
  readonly change: number;
  /** Time of detection of the state, in milliseconds since the Unix epoch. */
  readonly since: number;
  /** Last delivered state. Omitted before the first delivery. */
  readonly delivered?: S;
  /** A state that is not sent: it was old when it was detected, or the receiver does not know the earlier state. */
  readonly skipped?: S;
  /** A state that is not sent again, because it could not be delivered for too long. */
  readonly givenUp?: S;
  /** True if an attempt got no response, so that the receiver can know the state although nothing was delivered. */
  readonly isUncertain?: boolean;
}

/** An incident with its delivery state for a webhook. */
export interface NotifiedIncident extends NotifiedState<IncidentState> {
  /** The incident when its state or days last changed. */
  readonly incident: IdentifiedIncident;
}

/** Incidents of a project with their delivery state. */
export interface NotifiedIncidents {
  /** Last evaluated day. */
  readonly until: Day;
  /** Ongoing and recently ended incidents. */
  readonly incidents: readonly NotifiedIncident[];
}

/** Returns true if a state has yet to be sent. */
export const isDue = ({ state, delivered, skipped, givenUp }: NotifiedState<string>): boolean =>
  state !== delivered && state !== skipped && state !== givenUp;

export const messageTypeOf = ({ state }: NotifiedIncident): string => `incident.${state}`;

/** Returns the message id for a state. Each attempt has the same id. */
export const messageIdOf = ({ key, change }: NotifiedState<string>): string => `${key}-${change}`;

export interface WebhookMessage {
  /** Message id, the same for each attempt. */
  readonly id: string;
  /** Message body, in JSON. */
  readonly body: string;
}

/** Returns what all messages have in common: the time, and the project as in the API. */
export function messageParts({ id, number }: Project, { since }: NotifiedState<string>) {
  const project = create(ProjectSchema, { name: `projects/${number}`, projectId: id });
  return { timestamp: new Date(since).toISOString(), project: toJson(ProjectSchema, project) };
}

/**
 * Returns the message about a state of an incident. The project and the incident have the same format as in the API.
 */
export function incidentWebhookMessage(to: Project, known: NotifiedIncident): WebhookMessage {
  const { timestamp, project } = messageParts(to, known);
  const incident = toJson(AndroidIncidentSchema, incidentMessage(known.incident));
  const body = { type: messageTypeOf(known), timestamp, data: { id: known.incident.id, project, incident } };
  return { id: messageIdOf(known), body: JSON.stringify(body) };
}
