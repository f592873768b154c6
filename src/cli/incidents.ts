import type { IncidentList } from "@waybill/client";
import { Command, Option } from "commander";
import type { AndroidIncidentJson } from "../gen/waybill/messagingdata/v1beta1/incident_pb.js";
import { type IncidentFilterFlags, incidentFilterOf } from "./incidents/filter.js";
import { INCIDENT_COLUMNS } from "./incidents/table-columns.js";
import { parseDay, parseLabels } from "./list/flag-values.js";
import { type ClientFlags, clientOf, serverOption, tokenOption } from "./support/client-flags.js";
import { CommandFailure } from "./support/command-failure.js";
import { failClearly } from "./support/fail-clearly.js";
import { json, ndjson, type Pages, type TableSpace, table } from "./support/page-formats.js";
import { printFitting } from "./support/print-fitting.js";

const EXAMPLE = `
Examples:
  $ waybill incidents --project demo-project --app - --ongoing --token "$(waybill token)"
  $ waybill incidents --project demo-project --app - --from 2025-03-01 --filter "wholeApp = true" --format json`;

/** The longest pages: a list of incidents is short. */
const PAGE_SIZE = 1_000;

type Format = (pages: Pages<AndroidIncidentJson>, space: TableSpace) => AsyncGenerator<string>;

const FORMATS = {
  table: (pages, space) => table(pages, INCIDENT_COLUMNS, space),
  json,
  ndjson,
} satisfies Record<string, Format>;

interface IncidentFlags extends ClientFlags, IncidentFilterFlags {
  readonly project: string;
  readonly app: string;
  readonly format: keyof typeof FORMATS;
}

/** `waybill incidents`: prints the incidents of an app. */
export function incidentsCommand(): Command {
  return new Command("incidents")
    .description("Print what changed in the delivery data of an app, newest first")
    .requiredOption("--project <project>", "id or number of the project")
    .requiredOption("--app <app>", "id of the Android app; - stands for all apps of the project")
    .option("--ongoing", "only incidents that go on")
    .option("--from <date>", "only incidents that lasted until this day or longer, YYYY-MM-DD", parseDay)
    .option("--to <date>", "only incidents that had begun by this day, YYYY-MM-DD", parseDay)
    .option(
      "--label <label>",
      'only incidents of this analytics label; repeat for several, "" for messages without a label',
      parseLabels,
    )
    .option("--filter <filter>", "further filter, in the filter language of the API")
    .addOption(
      new Option("--format <format>", "output format").choices(Object.keys(FORMATS)).default("table"),
    )
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
  await printFitting((space) => FORMATS[format](pagesOf(incidents), space));
}

async function* pagesOf(list: IncidentList): AsyncGenerator<readonly AndroidIncidentJson[]> {
  for await (const { incidents = [] } of list.pages()) yield incidents;
}
