import { createHash } from "node:crypto";
import { Command, Option } from "commander";
import { VERSION } from "../../server/operators/version.js";
import {
  type ClientFlags,
  clientOf,
  serverOption,
  tokenFileOption,
  tokenOption,
} from "../support/client-flags.js";
import { CommandFailure, failClearly } from "../support/command-failure.js";
import { wholeNumber } from "../support/flag-values.js";
import { followDirectory } from "./follow.js";
import { FORMATS, type LogFormat } from "./formats.js";
import { type FileImport, type Imported, importFile } from "./import-file.js";
import { type Apps, parseApp } from "./row-mapper.js";

const EXAMPLE = `
Examples:
  $ waybill import events.ndjson more.ndjson.gz --project demo-project --token "$(waybill token)"
  $ produce-events | waybill import - --project demo-project --token "$(waybill token)"
  $ waybill import export-*.csv.gz --format fcm-bigquery --project demo-project --token "$(waybill token)"
  $ waybill import log.parquet --map log.yaml --project demo-project --token "$(waybill token)"
  $ waybill import --follow /var/spool/events --project demo-project --token-file token`;

interface ImportFlags extends ClientFlags {
  readonly project: string;
  readonly batchBytes?: number;
  readonly format: keyof typeof FORMATS | "events";
  readonly map?: string;
  readonly app?: Apps;
  readonly skipInvalid?: true;
  readonly follow?: string;
}

/** `waybill import`: sends event files, or logs in other formats, to a running server. */
export function importCommand(): Command {
  return new Command("import")
    .description("Send event files, or logs in other formats, to a running server")
    .argument("[file...]", "files to send; - for standard input; .gz and .zst files are decompressed")
    .addOption(serverOption("messaging-data"))
    .requiredOption("--project <project>", "id or number of the project")
    .addOption(tokenOption())
    .addOption(tokenFileOption())
    .option(
      "--batch-bytes <count>",
      "end a request with the line that reaches this size, in bytes (default: 16 MiB)",
      wholeNumber(1),
    )
    .addOption(
      new Option("--format <format>", "file format")
        .choices(["events", ...Object.keys(FORMATS)])
        .default("events"),
    )
    .addOption(
      new Option("--map <file>", "map from the columns of other formats to event fields").conflicts("format"),
    )
    .option(
      "--app <app>",
      "app id for rows without an app, or NAME=ID for rows with this app name; repeatable",
      parseApp,
    )
    .option("--skip-invalid", "skip and show invalid lines, instead of failing")
    .option(
      "--follow <directory>",
      "import files in a directory as they appear, and move them to its folders imported and rejected",
    )
    .addHelpText("after", EXAMPLE)
    .action(
      failClearly(async (files: string[], flags: ImportFlags) => {
        const { follow, project, batchBytes, skipInvalid, app } = flags;
        if ((files.length === 0) === (follow === undefined))
          throw new CommandFailure("name files, or set --follow DIRECTORY, but not both");
        const format = await formatOf(flags);
        const client = clientOf("messaging-data", flags);
        const imports: FileImport = { client, project, batchBytes, skipInvalid, format, app };
        if (follow !== undefined) {
          const settings = settingsOf(flags, format);
          await followDirectory({ directory: follow, imports, settings, onImported: print });
        }
        for (const file of files) print(file, await importFile(file, imports));
      }),
    );
}

/** Identifies an import's target, and all that affects the conversion. */
function settingsOf(
  { server, project, skipInvalid, app }: ImportFlags,
  format: LogFormat | undefined,
): string {
  const apps = app && { ...app, named: [...app.named] };
  return createHash("sha256")
    .update(JSON.stringify([VERSION, server, project, skipInvalid, format, apps]))
    .digest("base64url");
}

function print(
  file: string,
  { importedCount, optedOutCount, tooLateCount, invalidCount, notes }: Imported,
): void {
  const tooLate = tooLateCount === 0 ? "" : `, ${tooLateCount} too late`;
  const invalid = invalidCount === 0 ? "" : `, ${invalidCount} invalid`;
  process.stdout.write(
    `${file}: ${importedCount} events imported, ${optedOutCount} opted out${tooLate}${invalid}\n`,
  );
  for (const note of notes) process.stderr.write(`${file}: ${note}\n`);
}

/** Returns the row format. Returns undefined for event files, which need no conversion. */
async function formatOf({ format, map: file, app }: ImportFlags): Promise<LogFormat | undefined> {
  const known = format === "events" ? undefined : FORMATS[format];
  const log = file === undefined ? known : { map: await readMap(file) };
  if (log === undefined && app !== undefined)
    throw new CommandFailure("--app applies only to other formats; events contain an appId");
  if (log !== undefined && log.map.appId === undefined && app?.unnamed === undefined)
    throw new CommandFailure("the rows of this format do not name their app; set --app ID");
  return log;
}

/** Reads a map file. The libraries for this are loaded only if a map is used. */
async function readMap(file: string): Promise<LogFormat["map"]> {
  const { readMapFile } = await import("./event-map.js");
  return readMapFile(file);
}
