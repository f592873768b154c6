import * as z from "zod";
import type { AndroidIncidentJson } from "../../gen/waybill/messagingdata/v1beta1/incident_pb.js";
import { annotationText, dateText, labelText, numberOf } from "../../presentation/field-text.js";
import { type IncidentFilterFlags, incidentFilterOf, isOfVolume, surePercent } from "../incidents.js";
import type { Reading } from "./read-tool.js";
import { count, messages, outcomeName, percent, tenths } from "./words.js";

const INCIDENT = z.object({
  id: z.string().describe("Stable, even if late events change the days"),
  app: z.string(),
  label: z.string().optional().describe("Empty for messages without a label; absent for the whole app"),
  kind: z.string().describe("OUTCOME_SHARE; or SILENCE, FALL or RISE of the number of accepted messages"),
  wholeProject: z.boolean().optional().describe("True if no app of the project had messages"),
  outcome: z
    .string()
    .optional()
    .describe("DELIVERED if delivery fell; otherwise the outcome that rose. Only for OUTCOME_SHARE"),
  since: z.string().describe("First day"),
  until: z.string().optional().describe("Last day; absent if ongoing"),
  observedPercent: z.number().optional().describe("Percentages only for OUTCOME_SHARE"),
  usualPercent: z.number().optional(),
  usualLowPercent: z.number().optional(),
  usualHighPercent: z.number().optional(),
  observedMessages: z.int().optional().describe("Accepted on these days. Only for SILENCE, FALL and RISE"),
  usualMessages: z.int().optional(),
  usualLowMessages: z.int().optional(),
  usualHighMessages: z.int().optional(),
  excessMessages: z
    .int()
    .describe(
      "Messages above the usual number: not delivered, or with the outcome. Otherwise the difference",
    ),
  confidence: z.number().describe("From 0 to 1"),
  annotation: z
    .string()
    .optional()
    .describe("Event that users recorded near the start, such as a release. It may be the cause"),
  acknowledgedBy: z.string().optional().describe("Absent if nobody acknowledged the incident"),
  note: z.string().optional().describe("A person's note, such as the cause"),
});

type Incident = z.output<typeof INCIDENT>;

export const INCIDENTS = z.object({
  incidents: z.array(INCIDENT).describe("Newest start first"),
  moreIncidents: z.boolean().describe("True if older incidents were omitted"),
});

export type Incidents = z.output<typeof INCIDENTS>;

/** Result if the range has no data. */
export const NO_INCIDENTS: Incidents = { incidents: [], moreIncidents: false };

/** Reads the newest incidents of an app. @param limit maximum number of incidents. */
export async function readIncidents(
  app: string,
  flags: IncidentFilterFlags,
  limit: number,
  { client, project, signal }: Reading,
): Promise<Incidents> {
  const { incidents = [], nextPageToken } = await client
    .listIncidents({ project, app, filter: incidentFilterOf(flags), pageSize: limit, signal })
    .readPage();
  return { incidents: incidents.map(incidentOf), moreIncidents: nextPageToken !== undefined };
}

function incidentOf(incident: AndroidIncidentJson): Incident {
  const {
    incidentId = "",
    appId = "",
    wholeApp,
    analyticsLabel = "",
    kind = "OUTCOME_SHARE",
    outcome,
    wholeProject,
    startDate,
    endDate,
    nearestAnnotation,
    acknowledgePrincipal: acknowledgedBy,
    note,
  } = incident;
  return {
    id: incidentId,
    app: appId,
    ...(wholeApp ? {} : { label: analyticsLabel }),
    kind,
    ...(wholeProject && { wholeProject }),
    ...(outcome !== undefined && { outcome }),
    since: dateText(startDate),
    ...(endDate === undefined ? {} : { until: dateText(endDate) }),
    ...(isOfVolume(incident)
      ? {
          observedMessages: numberOf(incident.observedMessageCount),
          usualMessages: numberOf(incident.usualMessageCount),
          usualLowMessages: numberOf(incident.usualLowMessageCount),
          usualHighMessages: numberOf(incident.usualHighMessageCount),
        }
      : {
          observedPercent: tenths(numberOf(incident.observedPercent)),
          usualPercent: tenths(numberOf(incident.usualPercent)),
          usualLowPercent: tenths(numberOf(incident.usualLowPercent)),
          usualHighPercent: tenths(numberOf(incident.usualHighPercent)),
        }),
    excessMessages: numberOf(incident.excessMessageCount),
    confidence: numberOf(incident.confidence),
    ...(nearestAnnotation !== undefined && { annotation: annotationText(nearestAnnotation) }),
    ...(acknowledgedBy !== undefined && { acknowledgedBy }),
    ...(note !== undefined && { note }),
  };
}

/** Describes each incident in one line. */
export const incidentsOfDaysInWords = ({ incidents, moreIncidents }: Incidents): string[] => [
  incidents.length === 0 ? "No incidents on these days." : "Incidents on these days:",
  ...incidents.map(incidentInWords),
  ...(moreIncidents ? ["There are older incidents; what_changed lists them."] : []),
];

/** Describes an incident in sentences. */
export function incidentInWords(incident: Incident): string {
  const { app, label, since, until, confidence, wholeProject, annotation, acknowledgedBy } = incident;
  const who = wholeProject
    ? `App ${app}, and every other app of the project`
    : label === undefined
      ? `App ${app} as a whole`
      : `${labelText(label)} (app ${app})`;
  const days =
    until === undefined
      ? `since ${since}, ongoing`
      : since === until
        ? `on ${since}`
        : `from ${since} to ${until}`;
  const what =
    incident.kind === "OUTCOME_SHARE" ? shareInWords(incident, days) : volumeInWords(incident, days);
  const near = annotation === undefined ? "" : ` Recorded near its start: ${annotation}.`;
  const acknowledged = acknowledgedBy === undefined ? "" : ` Acknowledged by ${acknowledgedBy}.`;
  return `${who}: ${what} ${surePercent(confidence)} % sure.${near}${acknowledged}`;
}

function shareInWords(incident: Incident, days: string): string {
  const { outcome = "", excessMessages, observedPercent = 0, usualPercent = 0 } = incident;
  const { usualLowPercent = 0, usualHighPercent = 0 } = incident;
  const isFall = outcome === "DELIVERED";
  const usual = `usual is ${percent(usualPercent)} (${percent(usualLowPercent)} to ${percent(usualHighPercent)})`;
  return (
    `${outcomeName(outcome)} ${isFall ? "fell" : "rose"} to ${percent(observedPercent)} ${days}; ${usual}. ` +
    `Beyond the usual, ${messages(excessMessages)} ${isFall ? "not delivered" : outcomeName(outcome)}.`
  );
}

function volumeInWords(incident: Incident, days: string): string {
  const {
    kind,
    observedMessages = 0,
    usualMessages = 0,
    usualLowMessages = 0,
    usualHighMessages = 0,
  } = incident;
  const change =
    kind === "RISE"
      ? "more messages than usual"
      : kind === "FALL"
        ? "fewer messages than usual"
        : "almost no messages";
  return (
    `${observedMessages === 0 ? "no messages" : change} ${days}: ${messages(observedMessages)}; ` +
    `usual is ${count(usualMessages)} (${count(usualLowMessages)} to ${count(usualHighMessages)}).`
  );
}
