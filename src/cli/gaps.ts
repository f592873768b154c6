import { Command } from "commander";
import type { AndroidMirrorGapJson } from "../gen/waybill/messagingdata/v1beta1/mirror_gap_pb.js";
import { dateText } from "../presentation/field-text.js";
import { type ClientFlags, clientOf, serverOption, tokenOption } from "./support/client-flags.js";
import { failClearly } from "./support/command-failure.js";
import { formatOption, LIST_FORMATS, type ListFormat, pagesOf, printPages } from "./support/page-formats.js";
import type { Column } from "./support/text-table.js";

const COLUMNS: readonly Column<AndroidMirrorGapJson>[] = [
  { title: "app", leastWidth: 16, text: ({ appId = "" }) => appId },
  { title: "kind", leastWidth: 12, text: ({ kind = "" }) => kind.toLowerCase().replaceAll("_", " ") },
  { title: "date", leastWidth: 10, text: ({ date }) => (date === undefined ? "-" : dateText(date)) },
  {
    title: "expires",
    leastWidth: 10,
    text: ({ expireDate }) => (expireDate === undefined ? "-" : dateText(expireDate)),
  },
  { title: "since", leastWidth: 20, text: ({ startTime = "" }) => startTime },
  { title: "problem", leastWidth: 16, text: ({ problem = "-" }) => problem },
];

const EXAMPLE = `
Examples:
  $ waybill gaps --project demo-project --app - --token "$(waybill token)"
  $ waybill gaps --project demo-project --app - --format ndjson`;

/** The maximum page size. Lists of gaps are short. */
const PAGE_SIZE = 1_000;

interface GapsFlags extends ClientFlags {
  readonly project: string;
  readonly app: string;
  readonly format: ListFormat;
}

/** `waybill gaps`: prints the gaps in an app's mirror. */
export function gapsCommand(): Command {
  return new Command("gaps")
    .description("Print the gaps in an app's mirror: overdue days, and reasons why no data arrives")
    .requiredOption("--project <project>", "id or number of the project")
    .requiredOption("--app <app>", "id of the Android app, or - for all apps")
    .addOption(formatOption(LIST_FORMATS))
    .addOption(serverOption("messaging-data"))
    .addOption(tokenOption())
    .addHelpText("after", EXAMPLE)
    .action(failClearly(printGaps));
}

async function printGaps(flags: GapsFlags): Promise<void> {
  const { project, app, format } = flags;
  const gaps = clientOf("messaging-data", flags).listMirrorGaps({ project, app, pageSize: PAGE_SIZE });
  const pages = pagesOf(gaps, (page) => page.gaps);
  await printPages(pages, COLUMNS, format);
}
