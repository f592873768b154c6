import type { MirrorGapList } from "@waybill/client";
import { Command, Option } from "commander";
import type { AndroidMirrorGapJson } from "../gen/waybill/messagingdata/v1beta1/mirror_gap_pb.js";
import { GAP_COLUMNS } from "./gaps/table-columns.js";
import { type ClientFlags, clientOf, serverOption, tokenOption } from "./support/client-flags.js";
import { failClearly } from "./support/fail-clearly.js";
import { json, ndjson, type Pages, type TableSpace, table } from "./support/page-formats.js";
import { printFitting } from "./support/print-fitting.js";

const EXAMPLE = `
Examples:
  $ waybill gaps --project demo-project --app - --token "$(waybill token)"
  $ waybill gaps --project demo-project --app - --format ndjson`;

/** The longest pages: a list of gaps is short. */
const PAGE_SIZE = 1_000;

type Format = (pages: Pages<AndroidMirrorGapJson>, space: TableSpace) => AsyncGenerator<string>;

const FORMATS = {
  table: (pages, space) => table(pages, GAP_COLUMNS, space),
  json,
  ndjson,
} satisfies Record<string, Format>;

interface GapsFlags extends ClientFlags {
  readonly project: string;
  readonly app: string;
  readonly format: keyof typeof FORMATS;
}

/** `waybill gaps`: prints what is missing in the mirror of an app. */
export function gapsCommand(): Command {
  return new Command("gaps")
    .description("Print what is missing in the mirror of an app")
    .requiredOption("--project <project>", "id or number of the project")
    .requiredOption("--app <app>", "id of the Android app; - stands for all apps of the project")
    .addOption(
      new Option("--format <format>", "output format").choices(Object.keys(FORMATS)).default("table"),
    )
    .addOption(serverOption("messaging-data"))
    .addOption(tokenOption())
    .addHelpText("after", EXAMPLE)
    .action(failClearly(printGaps));
}

async function printGaps(flags: GapsFlags): Promise<void> {
  const { project, app, format } = flags;
  const gaps = clientOf("messaging-data", flags).listMirrorGaps({ project, app, pageSize: PAGE_SIZE });
  await printFitting((space) => FORMATS[format](pagesOf(gaps), space));
}

async function* pagesOf(list: MirrorGapList): AsyncGenerator<readonly AndroidMirrorGapJson[]> {
  for await (const { gaps = [] } of list.pages()) yield gaps;
}
