import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline, type Readable, Transform } from "node:stream";
import { createGunzip } from "node:zlib";
import type { ImportProgress, WaybillClient } from "@waybill/client";
import { type InvalidLine, type LineViolation, lineViolation, WaybillError } from "@waybill/client";
import { SingleBar } from "cli-progress";
import { Command, InvalidArgumentError, Option } from "commander";
import { eventLines } from "./import/event-lines.js";
import { FORMATS, type LogFormat } from "./import/formats.js";
import type { RowUnit } from "./import/row.js";
import { SourceError } from "./import/row.js";
import { type Apps, columnsOf, parseApp, RowMapper } from "./import/row-mapper.js";
import { RowReport, violationText } from "./import/row-report.js";
import { rowsIn } from "./import/rows/rows-in.js";
import {
  type ClientFlags,
  clientOf,
  serverOption,
  tokenFileOption,
  tokenOption,
} from "./support/client-flags.js";
import { CommandFailure, failClearly } from "./support/command-failure.js";

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
  readonly skipInvalid?: true;
}

/** `waybill import`: sends event files, or logs in other formats, to a running server. */
export function importCommand(): Command {
  return new Command("import")
    .description("Send event files, or logs in other formats, to a running server")
    .argument("<file...>", "files to send; - for standard input; .gz files are decompressed")
    .addOption(serverOption("messaging-data"))
    .requiredOption("--project <project>", "id or number of the project")
    .addOption(tokenOption())
    .addOption(tokenFileOption())
    .option("--batch-bytes <count>", "maximum size of a request, in bytes (default: 24 MiB)", parseBytes)
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
    .addHelpText("after", EXAMPLE)
    .action(
      failClearly(async (files: string[], flags: ImportFlags) => {
        const format = await formatOf(flags);
        const client = clientOf("messaging-data", flags);
        for (const file of files) {
          const { importedCount, optedOutCount, tooLateCount, invalidCount, notes } = await importFile(
            file,
            client,
            flags,
            format,
          );
          const tooLate = tooLateCount === 0 ? "" : `, ${tooLateCount} too late`;
          const invalid = invalidCount === 0 ? "" : `, ${invalidCount} invalid`;
          process.stdout.write(
            `${file}: ${importedCount} events imported, ${optedOutCount} opted out${tooLate}${invalid}\n`,
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

/** Returns the row format. Returns undefined for event files, which need no conversion. */
async function formatOf({ format, map: file, app }: ImportFlags): Promise<LogFormat | undefined> {
  const known = format === "events" ? undefined : FORMATS[format];
  const log = file === undefined ? known : { map: await readMap(file) };
  if (log === undefined && app !== undefined)
    throw new CommandFailure("--app is for other formats; events have an appId");
  if (log !== undefined && log.map.appId === undefined && app?.unnamed === undefined)
    throw new CommandFailure("the rows of this format do not name their app; set --app ID");
  return log;
}

/** Reads a map file. The libraries for this are loaded only if a map is used. */
async function readMap(file: string): Promise<LogFormat["map"]> {
  const { readMapFile } = await import("./import/event-map.js");
  return readMapFile(file);
}

/** Result of importing one file, with notes for the user. */
type Imported = ImportProgress & { readonly notes: readonly string[] };

/** @param format row format; undefined for an event file. */
async function importFile(
  file: string,
  client: WaybillClient,
  { project, batchBytes, app, skipInvalid }: ImportFlags,
  format: LogFormat | undefined,
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
  // If any stage of the pipeline fails, reading from the last stage throws the error.
  const content = pipeline(stages, () => {}) as unknown as Readable;
  const names = format === undefined ? [] : columnsOf(format.map);
  const report = new RowReport(names, skipInvalid);
  let events: AsyncIterable<Uint8Array> = content;
  let unit: RowUnit = "line";
  const textOf = (violation: LineViolation): string => violationText(violation, { unit, map: format?.map });
  try {
    if (format !== undefined) {
      const found = await rowsIn(file, content, { names, layouts: format.layouts });
      unit = found.unit;
      events = eventLines(found.rows, new RowMapper(format.map, app), report);
    }
    const progress = await client.importEvents({
      project,
      events,
      batchBytes,
      skipInvalid,
      onProgress: ({ importedCount }) => {
        bar.update(Math.min(read, size), { events: importedCount });
      },
    });
    const invalidCount = progress.invalidCount + report.invalidCount;
    const invalidLines = [...progress.invalidLines, ...report.invalidRows].sort((a, b) => a.line - b.line);
    return {
      ...progress,
      invalidCount,
      notes: [...report.notes(), ...skippedNotes(invalidLines, invalidCount, textOf)],
    };
  } catch (error) {
    const problem = problemOf(error, textOf);
    if (problem === undefined) throw error;
    throw new CommandFailure(`${file}${problem}`, { cause: error });
  } finally {
    bar.stop();
    // If standard input stays open, the process does not exit.
    content.destroy();
  }
}

/** Maximum number of violations shown per file. */
const MAX_SHOWN_VIOLATIONS = 10;

/** Describes the first invalid lines, and counts the remaining ones. */
function skippedNotes(
  lines: readonly InvalidLine[],
  count: number,
  textOf: (violation: LineViolation) => string,
): readonly string[] {
  const shown = lines.slice(0, MAX_SHOWN_VIOLATIONS);
  const more = count - new Set(shown.map(({ line }) => line)).size;
  return [...shown.map(textOf), ...(more > 0 ? [`and ${more} more invalid`] : [])];
}

/**
 * Returns why a file cannot be imported, as a text to append to the file name. Returns undefined for unexpected errors.
 */
function problemOf(error: unknown, textOf: (violation: LineViolation) => string): string | undefined {
  if (error instanceof SourceError)
    return `: ${textOf({ line: error.line, field: "", description: error.message })}`;
  if (error instanceof WaybillError) {
    if (error.violations.length === 0) return `: ${error.message}`;
    return `: ${shownOf(error.violations.map((violation) => textOf(lineViolation(violation)))).join("\n")}`;
  }
  if (error instanceof Error && /^Z_/.test(String((error as NodeJS.ErrnoException).code)))
    return ` is not a complete gzip file: ${error.message}`;
  return undefined;
}

/** Returns the first texts, and a line that counts the remaining ones. */
function shownOf(texts: readonly string[]): readonly string[] {
  const more = texts.length - MAX_SHOWN_VIOLATIONS;
  return more <= 0 ? texts : [...texts.slice(0, MAX_SHOWN_VIOLATIONS), `and ${more} more`];
}
