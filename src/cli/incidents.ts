import { Command } from "commander";
import type { AndroidIncidentJson } from "../gen/waybill/messagingdata/v1beta1/incident_pb.js";
import { annotationText, dateText, labelText, numberOf } from "../presentation/field-text.js";
import { type FilterFlags, joinFilter, labelConditions, parseDay, parseLabels } from "./list/filter.js";
import { type ClientFlags, clientOf, serverOption, tokenOption } from "./support/client-flags.js";
import { CommandFailure, failClearly } from "./support/command-failure.js";
import { formatOption, LIST_FORMATS, type ListFormat, pagesOf, printPages } from "./support/page-formats.js";
import { type Column, percentText } from "./support/text-table.js";

const COLUMNS: readonly Column<AndroidIncidentJson>[] = [
  { title: "since", leastWidth: 10, text: ({ startDate }) => dateText(startDate) },
  {
    title: "until",
    leastWidth: 10,
    text: ({ endDate }) => (endDate === undefined ? "ongoing" : dateText(endDate)),
  },
  { title: "app", leastWidth: 16, text: ({ appId = "" }) => appId },
  // Parentheses cannot occur in labels, so that this string differs from any label.
  {
    title: "label",
    leastWidth: 12,
    text: ({ wholeApp, analyticsLabel }) => (wholeApp ? "(whole app)" : labelText(analyticsLabel)),
  },
  {
    title: "change",
    leastWidth: 12,
    text: ({ kind, outcome = "" }) =>
      volumeText(kind) ?? `${outcome.toLowerCase()} ${outcome === "DELIVERED" ? "fell" : "rose"}`,
  },
  {
    title: "usual",
    text: (incident) =>
      isOfVolume(incident) ? (incident.usualMessageCount ?? "0") : `${percentText(incident.usualPercent)} %`,
  },
  {
    title: "band",
    text: (incident) =>
      isOfVolume(incident)
        ? `${incident.usualLowMessageCount ?? "0"}-${incident.usualHighMessageCount ?? "0"}`
        : `${percentText(incident.usualLowPercent)}-${percentText(incident.usualHighPercent)} %`,
  },
  {
    title: "observed",
    text: (incident) =>
      isOfVolume(incident)
        ? (incident.observedMessageCount ?? "0")
        : `${percentText(incident.observedPercent)} %`,
  },
  { title: "messages", text: ({ excessMessageCount }) => excessMessageCount ?? "0" },
  { title: "confidence %", text: ({ confidence }) => percentText(surePercent(numberOf(confidence))) },
  { title: "state", text: ({ state = "" }) => state.toLowerCase() },
  { title: "id", leastWidth: 16, text: ({ incidentId = "" }) => incidentId },
  { title: "annotation", leastWidth: 12, text: ({ nearestAnnotation }) => annotationText(nearestAnnotation) },
];

/** Returns true if an incident is about the number of messages. */
export const isOfVolume = ({ kind }: Pick<AndroidIncidentJson, "kind">): boolean =>
  kind !== undefined && kind !== "OUTCOME_SHARE";

/** Describes a silence, fall or rise of the number of messages; `undefined` for other incidents. */
function volumeText(kind: AndroidIncidentJson["kind"]): string | undefined {
  if (kind === "SILENCE") return "no messages";
  if (kind === "FALL") return "fewer messages";
  return kind === "RISE" ? "more messages" : undefined;
}

const EXAMPLE = `
Examples:
  $ waybill incidents --project demo-project --app - --ongoing --token "$(waybill token)"
  $ waybill incidents --project demo-project --app - --from 2025-03-01 --filter "wholeApp = true" --format json`;

/** The maximum page size. Lists of incidents are short. */
const PAGE_SIZE = 1_000;

interface IncidentFlags extends ClientFlags, IncidentFilterFlags {
  readonly project: string;
  readonly app: string;
  readonly format: ListFormat;
}

/** `waybill incidents`: prints an app's incidents. */
export function incidentsCommand(): Command {
  return new Command("incidents")
    .description("Print an app's incidents, newest first: unusual changes in its delivery data")
    .requiredOption("--project <project>", "id or number of the project")
    .requiredOption("--app <app>", "id of the Android app, or - for all apps")
    .option("--ongoing", "only ongoing incidents")
    .option("--from <date>", "only incidents on or after this day, YYYY-MM-DD", parseDay)
    .option("--to <date>", "only incidents on or before this day, YYYY-MM-DD", parseDay)
    .option(
      "--label <label>",
      'only incidents of this analytics label; repeat for several, "" for messages without a label',
      parseLabels,
    )
    .option("--filter <filter>", "additional filter, in the API's filter language")
    .addOption(formatOption(LIST_FORMATS))
    .addOption(serverOption("messaging-data"))
    .addOption(tokenOption())
    .addHelpText("after", EXAMPLE)
    .action(failClearly(printIncidents));
}

async function printIncidents(flags: IncidentFlags): Promise<void> {
  const { project, app, from, to, format } = flags;
  if (from !== undefined && to !== undefined && from > to)
    throw new CommandFailure(`--from ${from} is after --to ${to}`);
  const client = clientOf("messaging-data", flags);
  const incidents = client.listIncidents({
    project,
    app,
    filter: incidentFilterOf(flags),
    pageSize: PAGE_SIZE,
  });
  const pages = pagesOf(incidents, (page) => page.incidents);
  await printPages(pages, COLUMNS, format);
}

export interface IncidentFilterFlags extends FilterFlags {
  /** True to select only ongoing incidents. */
  readonly ongoing?: boolean;
}

/** Combines all flags into a filter (AIP-160). Dates and labels were validated before and contain no quotes. */
export function incidentFilterOf(flags: IncidentFilterFlags): string | undefined {
  const { from, to, label, ongoing, filter } = flags;
  return joinFilter(filter, [
    ...(ongoing ? ["NOT endDate:*"] : []),
    ...(from === undefined ? [] : [`(endDate >= "${from}" OR NOT endDate:*)`]),
    ...(to === undefined ? [] : [`startDate <= "${to}"`]),
    ...labelConditions(label),
  ]);
}

/**
 * Returns the confidence as a percentage below 100. The confidence itself may be so high that its nearest double is 1.
 */
export const surePercent = (confidence: number): number =>
  Math.min(Math.floor(confidence * 10_000), 9_999) / 100;
