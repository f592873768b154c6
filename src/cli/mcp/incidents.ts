import { z } from "zod";
import type { AndroidIncidentJson } from "../../gen/waybill/messagingdata/v1beta1/incident_pb.js";
import { dateText, labelText, numberOf } from "../../presentation/field-text.js";
import { type IncidentFilterFlags, incidentFilterOf, surePercent } from "../incidents.js";
import type { Reading } from "./read-tool.js";
import { messages, outcomeName, percent, tenths } from "./words.js";

const INCIDENT = z.object({
  id: z.string().describe("Stable, even if late events change the days"),
  app: z.string(),
  label: z.string().optional().describe("Empty for messages without a label; absent for the whole app"),
  outcome: z.string().describe("DELIVERED if delivery fell; otherwise the outcome that rose"),
  since: z.string().describe("First day"),
  until: z.string().optional().describe("Last day; absent if ongoing"),
  observedPercent: z.number(),
  usualPercent: z.number(),
  usualLowPercent: z.number(),
  usualHighPercent: z.number(),
  excessMessages: z.int().describe("Messages above the usual number: not delivered, or with the outcome"),
  confidence: z.number().describe("From 0 to 1"),
});

type Incident = z.output<typeof INCIDENT>;

/** Schema of a list of incidents. */
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
    outcome = "",
    startDate,
    endDate,
  } = incident;
  return {
    id: incidentId,
    app: appId,
    ...(wholeApp ? {} : { label: analyticsLabel }),
    outcome,
    since: dateText(startDate),
    ...(endDate === undefined ? {} : { until: dateText(endDate) }),
    observedPercent: tenths(numberOf(incident.observedPercent)),
    usualPercent: tenths(numberOf(incident.usualPercent)),
    usualLowPercent: tenths(numberOf(incident.usualLowPercent)),
    usualHighPercent: tenths(numberOf(incident.usualHighPercent)),
    excessMessages: numberOf(incident.excessMessageCount),
    confidence: numberOf(incident.confidence),
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
  const { app, label, outcome, since, until, excessMessages, confidence } = incident;
  const isFall = outcome === "DELIVERED";
  const who = label === undefined ? `App ${app} as a whole` : `${labelText(label)} (app ${app})`;
  const days =
    until === undefined
      ? `since ${since}, ongoing`
      : since === until
        ? `on ${since}`
        : `from ${since} to ${until}`;
  const usual = `usual is ${percent(incident.usualPercent)} (${percent(incident.usualLowPercent)} to ${percent(incident.usualHighPercent)})`;
  return (
    `${who}: ${outcomeName(outcome)} ${isFall ? "fell" : "rose"} to ${percent(incident.observedPercent)} ${days}; ${usual}. ` +
    `Beyond the usual, ${messages(excessMessages)} ${isFall ? "not delivered" : outcomeName(outcome)}. ${surePercent(confidence)} % sure.`
  );
}
