import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline, type Readable, Transform } from "node:stream";
import { createGunzip } from "node:zlib";
import { SingleBar } from "cli-progress";
import { Command, InvalidArgumentError, Option } from "commander";
import type { ImportProgress } from "../client/import/event-import.js";
import type { WaybillClient } from "../client/waybill-client.js";
import { WaybillError } from "../client/waybill-error.js";
import { type Apps, parseApp } from "./import/app-flag.js";
import { columnsOf } from "./import/columns-of.js";
import { eventLines } from "./import/event-lines.js";
import type { EventMap } from "./import/event-map.js";
import { FORMATS } from "./import/formats.js";
import { RowMapper } from "./import/row-mapper.js";
import { RowReport } from "./import/row-report.js";
import { rowsIn } from "./import/rows-in.js";
import { SourceError } from "./import/source-error.js";
import {
  type ClientFlags,
  clientOf,
  serverOption,
  tokenFileOption,
  tokenOption,
} from "./support/client-flags.js";
import { CommandFailure } from "./support/command-failure.js";
import { failClearly } from "./support/fail-clearly.js";

const EXAMPLE = `
Examples:
  $ waybill import events.ndjson more.ndjson.gz --project demo-project --token "$(waybill token)"
  $ produce-events | waybill import - --project demo-project --token "$(waybill token)"
  $ waybill import export-*.csv.gz --format fcm-bigquery --project demo-project --token "$(waybill token)"
  $ waybill import log.parquet --map log.yaml --project demo-project --token "$(waybill token)"`;

interface ImportFlags extends ClientFlags {
  readonly project: string;
  readonly batchBytes?: number;
  readonly format: keyof typeof FORMATS | "events";
  readonly map?: string;
  readonly app?: Apps;
}

/** `waybill import`: sends event files, or the events of other logs, to a running server. */
export function importCommand(): Command {
  return new Command("import")
    .description("Send event files, or logs in other formats, to a running server")
    .argument("<file...>", "files to send; - is standard input, .gz files are decompressed")
    .addOption(serverOption("messaging-data"))
    .requiredOption("--project <project>", "id or number of the project")
    .addOption(tokenOption())
    .addOption(tokenFileOption())
    .option("--batch-bytes <count>", "maximum bytes of events in a request (default: 24 MiB)", parseBytes)
    .addOption(
      new Option("--format <format>", "format of the files")
        .choices(["events", ...Object.keys(FORMATS)])
        .default("events"),
    )
    .addOption(
      new Option("--map <file>", "how the rows of files in any other format become events").conflicts(
        "format",
      ),
    )
    .option(
      "--app <app>",
      "app id of rows that name no app; or NAME=ID for an app that they name; may be repeated",
      parseApp,
    )
    .addHelpText("after", EXAMPLE)
    .action(
      failClearly(async (files: string[], flags: ImportFlags) => {
        const map = await mapOf(flags);
        const client = clientOf("messaging-data", flags);
        for (const file of files) {
          const { importedCount, optedOutCount, tooLateCount, notes } = await importFile(
            file,
            client,
            flags,
            map,
          );
          const tooLate = tooLateCount === 0 ? "" : `, ${tooLateCount} too late`;
          process.stdout.write(
            `${file}: ${importedCount} events imported, ${optedOutCount} opted out${tooLate}\n`,
          );
          for (const note of notes) process.stderr.write(`${file}: ${note}\n`);
        }
      }),
    );
}

function parseBytes(text: string): number {
  const bytes = Number(text);
  if (/^\d+$/.test(text) && bytes > 0) return bytes;
  throw new InvalidArgumentError("It must be a number of bytes.");
}

/** The map from rows to events; undefined for files of events. */
async function mapOf({ format, map: file, app }: ImportFlags): Promise<EventMap | undefined> {
  const map = file === undefined ? (format === "events" ? undefined : FORMATS[format]) : await readMap(file);
  if (map === undefined && app !== undefined)
    throw new CommandFailure("--app is for other formats; events have an appId");
  if (map !== undefined && map.appId === undefined && app?.unnamed === undefined)
    throw new CommandFailure("the rows of this format do not name their app: give --app ID");
  return map;
}

/** Reads a map with libraries that imports without one need not load. */
async function readMap(file: string): Promise<EventMap> {
  const { readMapFile } = await import("./import/map-file.js");
  return readMapFile(file);
}

/** The result of a file, and what a user must know about its rows. */
type Imported = ImportProgress & { readonly notes: readonly string[] };

/** @param map how rows become events; missing if the file has events. */
async function importFile(
  file: string,
  client: WaybillClient,
  { project, batchBytes, app }: ImportFlags,
  map: EventMap | undefined,
): Promise<Imported> {
  const info = file === "-" ? undefined : await stat(file);
  if (info?.isDirectory()) throw new CommandFailure(`${file} is a directory; name the files in it`);
  const size = info?.size ?? 0;
  const bar = new SingleBar({
    format: `${file} {bar} {percentage}% | {events} events`,
    stream: process.stderr,
    noTTYOutput: false,
  });
  if (process.stderr.isTTY) bar.start(size, 0, { events: 0 });
  let read = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      read += chunk.length;
      done(null, chunk);
    },
  });
  const input = file === "-" ? process.stdin : createReadStream(file);
  const stages = file.endsWith(".gz") ? [input, counter, createGunzip()] : [input, counter];
  // Reading the last stage throws the error of any stage.
  const content = pipeline(stages, () => {}) as unknown as Readable;
  const columns = map === undefined ? [] : columnsOf(map);
  const report = new RowReport(columns);
  const events =
    map === undefined ? content : eventLines(rowsIn(file, content, columns), new RowMapper(map, app), report);
  try {
    const progress = await client.importEvents({
      project,
      events,
      batchBytes,
      onProgress: ({ importedCount }) => {
        bar.update(Math.min(read, size), { events: importedCount });
      },
    });
    return { ...progress, notes: report.notes() };
  } catch (error) {
    if (error instanceof WaybillError || error instanceof SourceError)
      throw new CommandFailure(`${file}: ${error.message}`, { cause: error });
    if (error instanceof Error && /^Z_/.test((error as NodeJS.ErrnoException).code ?? "")) {
      throw new CommandFailure(`${file} is not a complete gzip file: ${error.message}`, { cause: error });
    }
    throw error;
  } finally {
    bar.stop();
    // Open standard input would keep the process alive.
    content.destroy();
  }
}
