import type {
  AndroidIncident_StateJson,
  AndroidIncidentJson,
  WebhookDelivery_StatusJson,
} from "#src/gen/waybill/messagingdata/v1beta1/incident_pb.js";
import { type Incident, incidentOf } from "./incident.js";

/** States of incidents, as ordered on the page. */
export const INCIDENT_STATES = [
  "OPEN",
  "ACKNOWLEDGED",
  "ENDED",
] as const satisfies readonly AndroidIncident_StateJson[];

export type IncidentState = (typeof INCIDENT_STATES)[number];

/** Who did something, and when. */
export interface Mark {
  readonly principal: string;
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
}

/** An incident with its acknowledgement, note and webhook deliveries. */
export interface InboxIncident {
  readonly incident: Incident;
  /** Resource name. */
  readonly name: string;
  readonly etag: string;
  readonly state: IncidentState;
  /** Undefined if nobody acknowledged it. */
  readonly acknowledged: Mark | undefined;
  /** Undefined without a note. */
  readonly note: (Mark & { readonly text: string }) | undefined;
  /** Delivery of the latest message to each webhook, in words: `on-call: end delivered`. */
  readonly deliveries: readonly string[];
}

/** Maximum length of a note, as on the server. */
export const MAX_NOTE = 1_000;

export function inboxIncidentOf(json: AndroidIncidentJson): InboxIncident {
  const { name = "", etag = "", state, acknowledgePrincipal, acknowledgeTime = "" } = json;
  const { note, notePrincipal = "", noteTime = "", webhookDeliveries = [] } = json;
  return {
    incident: incidentOf(json),
    name,
    etag,
    state: INCIDENT_STATES.find((each) => each === state) ?? "OPEN",
    acknowledged:
      acknowledgePrincipal === undefined ? undefined : markOf(acknowledgePrincipal, acknowledgeTime),
    note: note === undefined ? undefined : { text: note, ...markOf(notePrincipal, noteTime) },
    deliveries: webhookDeliveries.map(
      ({ webhook = "", type = "", status = "STATUS_UNSPECIFIED" }) =>
        `${webhook}: ${EVENTS[type] ?? type} ${STATUSES[status] ?? status}`,
    ),
  };
}

const markOf = (principal: string, time: string): Mark => ({ principal, time: Date.parse(time) });

const EVENTS: Readonly<Record<string, string>> = {
  "incident.started": "start",
  "incident.ended": "end",
  "incident.withdrawn": "withdrawal",
};

const STATUSES: Readonly<Partial<Record<WebhookDelivery_StatusJson, string>>> = {
  WAITING: "waiting",
  DELIVERED: "delivered",
  GIVEN_UP: "not delivered for seven days, not sent again",
  NOT_SENT: "not sent, because it was old",
};
