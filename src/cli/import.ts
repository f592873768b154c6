import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline, type Readable, Transform } from "node:stream";
import { createGunzip } from "node:zlib";
import { SingleBar } from "cli-progress";
import { Command, InvalidArgumentError } from "commander";
import type { ImportProgress } from "../client/import/event-import.js";
import type { WaybillClient } from "../client/waybill-client.js";
import { WaybillError } from "../client/waybill-error.js";
import { type ClientFlags, clientOf, serverOption, tokenOption } from "./support/client-flags.js";
import { CommandFailure } from "./support/command-failure.js";
import { failClearly } from "./support/fail-clearly.js";

const EXAMPLE = `
Examples:
  $ waybill import events.ndjson more.ndjson.gz --project demo-project --token "$(waybill token)"
  $ produce-events | waybill import - --project demo-project --token "$(waybill token)"`;

interface ImportFlags extends ClientFlags {
  readonly project: string;
  readonly batchBytes?: number;
}

/** `waybill import`: sends event files to a running server. */
export function importCommand(): Command {
  return new Command("import")
    .description("Send NDJSON event files to a running server")
    .argument("<file...>", "event files; - is standard input, .gz files are decompressed")
    .addOption(serverOption("messaging-data"))
    .requiredOption("--project <project>", "id or number of the project")
    .addOption(tokenOption())
    .option("--batch-bytes <count>", "maximum bytes of events in a request (default: 16 MiB)", parseBytes)
    .addHelpText("after", EXAMPLE)
    .action(
      failClearly(async (files: string[], flags: ImportFlags) => {
        const client = clientOf("messaging-data", flags);
        for (const file of files) {
          const { importedCount, optedOutCount, tooLateCount } = await importFile(file, client, flags);
          const tooLate = tooLateCount === 0 ? "" : `, ${tooLateCount} too late`;
          process.stdout.write(
            `${file}: ${importedCount} events imported, ${optedOutCount} opted out${tooLate}\n`,
          );
        }
      }),
    );
}

function parseBytes(text: string): number {
  const bytes = Number(text);
  if (/^\d+$/.test(text) && bytes > 0) return bytes;
  throw new InvalidArgumentError("It must be a number of bytes.");
}

async function importFile(
  file: string,
  client: WaybillClient,
  { project, batchBytes }: ImportFlags,
): Promise<ImportProgress> {
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
  const events = pipeline(stages, () => {}) as unknown as Readable;
  try {
    return await client.importEvents({
      project,
      events,
      batchBytes,
      onProgress: ({ importedCount }) => {
        bar.update(Math.min(read, size), { events: importedCount });
      },
    });
  } catch (error) {
    if (error instanceof WaybillError)
      throw new CommandFailure(`${file}: ${error.message}`, { cause: error });
    if (error instanceof Error && /^Z_/.test((error as NodeJS.ErrnoException).code ?? "")) {
      throw new CommandFailure(`${file} is not a complete gzip file: ${error.message}`, { cause: error });
    }
    throw error;
  } finally {
    bar.stop();
    // Open standard input would keep the process alive.
    events.destroy();
  }
}
