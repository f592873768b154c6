import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { Duplex, pipeline, type Readable, Transform } from "node:stream";
import { createGunzip } from "node:zlib";
import type { ImportProgress, InvalidLine, LineViolation, WaybillClient } from "@waybill/client";
import { lineViolation, WaybillError } from "@waybill/client";
import { newlinesIn } from "@waybill/client/support";
import { SingleBar } from "cli-progress";
import { decodeZstd } from "../../http/bodies/zstd.js";
import { systemProblem } from "../../model/system-error.js";
import { CommandFailure } from "../support/command-failure.js";
import { eventLines } from "./event-lines.js";
import type { LogFormat } from "./formats.js";
import { type RowUnit, SourceError } from "./row.js";
import { type Apps, columnsOf, RowMapper } from "./row-mapper.js";
import { RowReport, violationText } from "./row-report.js";
import { rowsIn } from "./rows/rows-in.js";

export interface FileImport {
  readonly client: Pick<WaybillClient, "importEvents">;
  /** Id or number of the project. */
  readonly project: string;
  /** Minimum request size, in bytes. */
  readonly batchBytes?: number | undefined;
  readonly skipInvalid?: true | undefined;
  /** Row format; undefined for event files, which need no conversion. */
  readonly format: LogFormat | undefined;
  /** Apps of rows that do not have an app id. */
  readonly app?: Apps | undefined;
}

/** Size of chunks, in bytes. Node.js's default chunks are small, and each costs processor time. */
const CHUNK_BYTES = 1024 * 1024;

/** The file's content cannot be imported, so a retry is of no use. */
export class ContentFailure extends CommandFailure {}

/** Result of importing one file, with notes for the user. */
export type Imported = ImportProgress & { readonly notes: readonly string[] };

/** Where to continue an import that was interrupted, and how to note its progress. */
export interface Continuation {
  /** Number of bytes of NDJSON events that are imported already, as {@link ImportProgress} counts them. */
  readonly bytes: number;
  /** Called after each acknowledged request, with the number of imported bytes. */
  onBytes(bytes: number): void;
  /** Stops the import. */
  readonly signal: AbortSignal;
}

/**
 * Imports a file, with a progress bar on a terminal.
 *
 * @param file path of the file; `-` for standard input.
 * @throws ContentFailure if the content is invalid.
 * @throws CommandFailure or WaybillError if the import has failed for another reason.
 */
export async function importFile(
  file: string,
  { client, project, batchBytes, skipInvalid, format, app }: FileImport,
  continuation?: Continuation,
): Promise<Imported> {
  const size = await sizeOf(file);
  const bar = startBar(file, size);
  let read = 0;
  const content = contentOf(file, format, (bytes) => {
    read += bytes;
  });
  const names = format === undefined ? [] : columnsOf(format.map);
  const report = new RowReport(names, skipInvalid);
  let events: AsyncIterable<Uint8Array> = content;
  let unit: RowUnit = "line";
  const imported = { bytes: continuation?.bytes ?? 0, lines: 0 };
  const textOf = (violation: LineViolation): string => violationText(violation, { unit, map: format?.map });
  const inFile = <V extends LineViolation>(violation: V): V =>
    violation.line === undefined ? violation : { ...violation, line: violation.line + imported.lines };
  try {
    if (format !== undefined) {
      const found = await rowsIn(file, content, { names, layouts: format.layouts });
      unit = found.unit;
      events = eventLines(found.rows, new RowMapper(format.map, app), report);
    }
    const progress = await client.importEvents({
      project,
      events: imported.bytes === 0 ? events : withoutImported(events, imported),
      batchBytes,
      skipInvalid,
      signal: continuation?.signal,
      onProgress: ({ importedCount, bytes }) => {
        continuation?.onBytes(continuation.bytes + bytes);
        bar.update(Math.min(read, size), { events: importedCount });
      },
    });
    const invalidCount = progress.invalidCount + report.invalidCount;
    const invalidLines = [...progress.invalidLines.map(inFile), ...report.invalidRows];
    invalidLines.sort((a, b) => a.line - b.line);
    return {
      ...progress,
      invalidCount,
      notes: [...report.notes(), ...skippedNotes(invalidLines, invalidCount, textOf)],
    };
  } catch (error) {
    const problem = problemOf(error, textOf, inFile);
    if (problem === undefined) throw error;
    const Failure = isContentProblem(error) ? ContentFailure : CommandFailure;
    throw new Failure(`${file}${problem}`, { cause: error });
  } finally {
    bar.stop();
    // If standard input stays open, the process does not exit.
    if ("destroy" in content) content.destroy();
  }
}

/** Returns a file's size in bytes; 0 for standard input. @throws CommandFailure for a directory. */
async function sizeOf(file: string): Promise<number> {
  if (file === "-") return 0;
  const info = await stat(file);
  if (info.isDirectory())
    throw new CommandFailure(`${file} is a directory; name the files in it, or use --follow`);
  return info.size;
}

function startBar(file: string, size: number): SingleBar {
  const bar = new SingleBar({
    format: `${file} {bar} {percentage}% | {events} events`,
    stream: process.stderr,
    noTTYOutput: false,
  });
  if (process.stderr.isTTY) bar.start(size, 0, { events: 0 });
  return bar;
}

/**
 * Reads a file. All chunks use the same memory, so each is valid until the next one is requested. New memory for each
 * chunk would have to be cleared, and collected later.
 *
 * @param onRead called with the size of each chunk.
 */
export async function* chunksOf(
  file: string,
  onRead: (bytes: number) => void = () => {},
): AsyncGenerator<Uint8Array> {
  const memory = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  const handle = await open(file);
  try {
    for (;;) {
      const { bytesRead } = await handle.read(memory, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) return;
      onRead(bytesRead);
      yield memory.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/** Reads and decompresses a file. @param onRead called with the size of each piece of the file. */
function contentOf(
  file: string,
  format: LogFormat | undefined,
  onRead: (bytes: number) => void,
): Readable | AsyncGenerator<Uint8Array> {
  const decompressors = decompressorsOf(file);
  // Conversions may still use a chunk when they request the next one.
  if (format === undefined && file !== "-" && decompressors.length === 0) return chunksOf(file, onRead);
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      onRead(chunk.length);
      done(null, chunk);
    },
  });
  const input = file === "-" ? process.stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES });
  const stages = [input, counter, ...decompressors];
  // If any stage of the pipeline fails, reading from the last stage throws the error.
  return pipeline(stages, () => {}) as unknown as Readable;
}

function decompressorsOf(file: string): Duplex[] {
  if (file.endsWith(".gz")) return [createGunzip({ chunkSize: CHUNK_BYTES })];
  return file.endsWith(".zst") ? [Duplex.from(decompressZstd)] : [];
}

async function* decompressZstd(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  try {
    yield* decodeZstd(source);
  } catch (cause) {
    if (systemProblem(cause) !== undefined) throw cause;
    throw new SourceError(undefined, `is not a complete zstd file: ${(cause as Error).message}`, { cause });
  }
}

/** Yields the bytes after those that are imported already, and counts the lines of these. */
async function* withoutImported(
  events: AsyncIterable<Uint8Array>,
  imported: { readonly bytes: number; lines: number },
): AsyncGenerator<Uint8Array> {
  let left = imported.bytes;
  for await (const chunk of events) {
    const skipped = chunk.subarray(0, left);
    left -= skipped.length;
    imported.lines += newlinesIn(skipped);
    if (skipped.length < chunk.length) yield chunk.subarray(skipped.length);
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
 * Returns why a file cannot be imported, as a suffix for the file name. Returns undefined for unexpected errors.
 *
 * @param inFile converts the line number of a sent event to one of the file.
 */
function problemOf(
  error: unknown,
  textOf: (violation: LineViolation) => string,
  inFile: (violation: LineViolation) => LineViolation,
): string | undefined {
  if (error instanceof SourceError)
    return `: ${textOf({ line: error.line, field: "", description: error.message })}`;
  if (error instanceof WaybillError) {
    if (error.violations.length === 0) return `: ${error.message}`;
    const texts = error.violations.map((violation) => textOf(inFile(lineViolation(violation))));
    return `: ${shownOf(texts).join("\n")}`;
  }
  if (error instanceof Error && /^Z_/.test(String((error as NodeJS.ErrnoException).code)))
    return ` is not a complete gzip file: ${error.message}`;
  return undefined;
}

/** Responses of a proxy, which have no domain, do not depend on the content. */
const isContentProblem = (error: unknown): boolean =>
  !(error instanceof WaybillError) ||
  (error.code === "INVALID_ARGUMENT" && error.domain === "messaging-data.waybill");

/** Returns the first texts, and a line that counts the remaining ones. */
function shownOf(texts: readonly string[]): readonly string[] {
  const more = texts.length - MAX_SHOWN_VIOLATIONS;
  return more <= 0 ? texts : [...texts.slice(0, MAX_SHOWN_VIOLATIONS), `and ${more} more`];
}
