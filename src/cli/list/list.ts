import type { DeliveryDataList } from "@waybill/client";
import { Command } from "commander";
import type { AndroidDeliveryDataJson } from "../../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { type ClientFlags, clientOf, serverOption, tokenOption } from "../support/client-flags.js";
import { CommandFailure, failClearly } from "../support/command-failure.js";
import { wholeNumber } from "../support/flag-values.js";
import { formatOption, printFitting } from "../support/page-formats.js";
import { CountingNote } from "../support/progress-bar.js";
import { type FilterFlags, filterOf, parseDay, parseLabels, parseTime } from "./filter.js";
import { FORMATS } from "./formats.js";

const EXAMPLE = `
Examples:
  $ waybill list --project demo-project --app 1:123456789012:android:0a1b2c3d4e5f --token "$(waybill token)"
  $ waybill list --project demo-project --app - --from 2025-03-01 --to 2025-03-31 --format csv > march.csv
  $ waybill list --project demo-project --app - --label spring --label "" --format ndjson | head
  $ waybill list --project demo-project --app - --format parquet --out entries.parquet`;

interface ListFlags extends ClientFlags, FilterFlags {
  readonly project: string;
  readonly app: string;
  readonly asOf?: string;
  readonly pageSize?: number;
  readonly format: keyof typeof FORMATS | "parquet";
  readonly out?: string;
}

/** `waybill list`: prints an app's delivery data. */
export function listCommand(): Command {
  return new Command("list")
    .description("Print the delivery data of an app, newest day first")
    .requiredOption("--project <project>", "id or number of the project")
    .requiredOption("--app <app>", "id of the Android app, or - for all apps")
    .option("--from <date>", "first day, YYYY-MM-DD", parseDay)
    .option("--to <date>", "last day, YYYY-MM-DD", parseDay)
    .option(
      "--label <label>",
      'analytics label; repeat for several, "" for messages without a label',
      parseLabels,
    )
    .option("--filter <filter>", "additional filter, in the API's filter language")
    .option(
      "--as-of <time>",
      "entries of a mirrored project as of this time, such as 2026-11-14T08:00:00Z",
      parseTime,
    )
    .option("--page-size <count>", "entries per request (default: 1000)", wholeNumber(1, 10_000))
    .addOption(formatOption(FORMATS, "parquet"))
    .option("--out <file>", "output file, for --format parquet")
    .addOption(serverOption("messaging-data"))
    .addOption(tokenOption())
    .addHelpText("after", EXAMPLE)
    .action(failClearly(list));
}

async function list(flags: ListFlags): Promise<void> {
  const { project, app, from, to, asOf, pageSize, format, out } = flags;
  if (from !== undefined && to !== undefined && from > to)
    throw new CommandFailure(`--from ${from} is after --to ${to}`);
  const client = clientOf("messaging-data", flags);
  const entries = client.listDeliveryData({ project, app, filter: filterOf(flags), asOf, pageSize });
  if (format === "parquet") {
    if (out === undefined) throw new CommandFailure("--format parquet needs --out FILE");
    // The native library is loaded only for this format.
    const { writeParquet } = await import("./parquet.js");
    const count = await writeParquet(pagesOf(entries, process.stderr.isTTY), out);
    process.stdout.write(`${out}: ${count} entries\n`);
    return;
  }
  if (out !== undefined) {
    throw new CommandFailure(
      "--out applies only to --format parquet; for other formats, redirect the output",
    );
  }
  const pages = pagesOf(entries, process.stderr.isTTY && !process.stdout.isTTY);
  await printFitting((space) => FORMATS[format](pages, { ...space, manyApps: app === "-" }));
}

/** Yields the entries page by page. @param isShown true to show a running count on standard error. */
async function* pagesOf(
  entries: DeliveryDataList,
  isShown: boolean,
): AsyncGenerator<readonly AndroidDeliveryDataJson[]> {
  const note = isShown ? new CountingNote("entries") : undefined;
  try {
    for await (const { androidDeliveryData = [] } of entries.pages()) {
      yield androidDeliveryData;
      if (note !== undefined) note.count += androidDeliveryData.length;
    }
  } finally {
    note?.end();
  }
}
