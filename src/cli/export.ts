import { randomUUID } from "node:crypto";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { WaybillClient } from "@waybill/client";
import { Command } from "commander";
import { makeDirectory } from "../control/file/directories.js";
import type { AndroidDeliveryDataJson } from "../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { DAY_MS, HOUR_MS } from "../model/clock.js";
import { dateText } from "../presentation/field-text.js";
import { filterOf, isDay, parseDay } from "./list/filter.js";
import type { ParquetWriter } from "./list/parquet.js";
import {
  type ClientFlags,
  clientOf,
  serverOption,
  tokenFileOption,
  tokenOption,
} from "./support/client-flags.js";
import { failClearly } from "./support/command-failure.js";

const EXAMPLE = `
Examples:
  $ waybill export --parquet lake --token "$(waybill token)"
  $ waybill export --parquet /data/lake --project shop --since 2026-01-01 --token-file token`;

/** Number of days before the newest exported one that are exported again, because late events change entries. */
const AGAIN_DAYS = 7;
/** Name of the file in each day's folder. */
const FILE = "entries.parquet";
/**
 * Name of a file in a project's folder that exists until all days are exported, with the first of them. Engines ignore
 * names that begin with `_`.
 */
const UNFINISHED = "_unfinished";
/**
 * Name of a file in a project's folder that is not complete yet. It is removed if its age, in milliseconds, shows that
 * its process was killed.
 */
const DRAFT = "_draft.";
const MAX_DRAFT_AGE_MS = HOUR_MS;
/** First day of an export of all days. Sorts before all dates. */
const ALL_DAYS = "";

interface ExportFlags extends ClientFlags {
  readonly parquet: string;
  readonly project?: readonly string[];
  readonly since?: string;
}

/** `waybill export`: writes delivery data of all days to Parquet files, for data lakes and reports. */
export function exportCommand(): Command {
  return new Command("export")
    .description("Write delivery data to Parquet files, one for each project and day")
    .requiredOption("--parquet <directory>", "directory of the files: project=ID/day=DATE/entries.parquet")
    .option(
      "--project <project>",
      "id or number of a project; repeatable (default: all)",
      (text, before: string[] = []) => [...before, text],
    )
    .option(
      "--since <date>",
      `first day, YYYY-MM-DD (default: ${AGAIN_DAYS} days before the newest file, or all days if there is none)`,
      parseDay,
    )
    .addOption(serverOption("messaging-data"))
    .addOption(tokenOption())
    .addOption(tokenFileOption())
    .addHelpText("after", EXAMPLE)
    .action(
      failClearly(async (flags: ExportFlags) => {
        const client = clientOf("messaging-data", flags);
        const projects =
          flags.project ?? (await client.listProjects().toArray()).map(({ projectId = "" }) => projectId);
        // The native library is loaded only if it is needed.
        const { ParquetWriter } = await import("./list/parquet.js");
        const writer = await ParquetWriter.open();
        try {
          for (const project of projects) {
            const counts = await exportProject(client, writer, project, flags);
            process.stdout.write(
              `${project}: days exported: ${counts.days}, changed: ${counts.changed}, entries: ${counts.entries}\n`,
            );
          }
        } finally {
          await writer.close();
        }
      }),
    );
}

/**
 * Writes a file for each of a project's days. Files of earlier days, and of days that the server no longer lists,
 * remain.
 */
async function exportProject(
  client: WaybillClient,
  writer: ParquetWriter,
  project: string,
  { parquet, since }: ExportFlags,
): Promise<{ days: number; changed: number; entries: number }> {
  const folder = join(parquet, `project=${encodeURIComponent(project)}`);
  await makeDirectory(folder, 0o777);
  await removeOldDrafts(folder);
  const from = earlier(since ?? (await nextDay(folder)), await unfinishedDay(folder));
  const filter = from === ALL_DAYS ? undefined : filterOf({ from });
  // The newest days are exported first. After an interruption, they do not show that older days are missing.
  await writeFile(join(folder, UNFINISHED), from);
  const counts = { days: 0, changed: 0, entries: 0 };
  for await (const [day, pages] of byDay(client.listDeliveryData({ project, app: "-", filter }))) {
    await makeDirectory(join(folder, `day=${day}`), 0o777);
    const draft = join(folder, `${DRAFT}${randomUUID()}`);
    const written = await writer.write(pages, join(folder, `day=${day}`, FILE), draft);
    counts.days++;
    counts.entries += written.entries;
    if (written.isChanged) counts.changed++;
  }
  // A concurrent run may have removed it.
  await rm(join(folder, UNFINISHED), { force: true });
  return counts;
}

async function removeOldDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    if (name.startsWith(DRAFT) && (await stat(file)).mtimeMs < Date.now() - MAX_DRAFT_AGE_MS)
      await rm(file, { force: true });
  }
}

/** Returns the first day of the export that was interrupted. Returns undefined if none was. */
async function unfinishedDay(folder: string): Promise<string | undefined> {
  if (!(await readdir(folder)).includes(UNFINISHED)) return undefined;
  const day = await readFile(join(folder, UNFINISHED), "utf8");
  return isDay(day) ? day : ALL_DAYS;
}

const earlier = (day: string, other: string | undefined): string =>
  other === undefined || day < other ? day : other;

/** Returns the first day to export again; {@link ALL_DAYS} if no day is exported. */
async function nextDay(folder: string): Promise<string> {
  const days = (await readdir(folder)).map((name) => name.replace(/^day=/, "")).filter(isDay);
  const newest = days.toSorted().at(-1);
  if (newest === undefined) return ALL_DAYS;
  return new Date(Date.parse(newest) - AGAIN_DAYS * DAY_MS).toISOString().slice(0, 10);
}

/** Number of entries that are written together. */
const PAGE = 1_000;

/**
 * Groups entries by day. The server lists entries of a day one after the other. Each day's entries must be read before
 * the next day.
 */
async function* byDay(
  entries: AsyncIterable<AndroidDeliveryDataJson>,
): AsyncGenerator<readonly [day: string, pages: AsyncIterable<readonly AndroidDeliveryDataJson[]>]> {
  const iterator = entries[Symbol.asyncIterator]();
  let next = await iterator.next();
  const pagesOf = async function* (day: string): AsyncGenerator<readonly AndroidDeliveryDataJson[]> {
    let page: AndroidDeliveryDataJson[] = [];
    for (; !next.done && dateText(next.value.date) === day; next = await iterator.next()) {
      if (page.push(next.value) < PAGE) continue;
      yield page;
      page = [];
    }
    yield page;
  };
  while (!next.done) {
    const day = dateText(next.value.date);
    yield [day, pagesOf(day)];
  }
}
