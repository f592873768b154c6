import type { DuckDBDataChunk } from "@duckdb/node-api";
import type { ProjectNumber } from "../../../model/names.js";
import type { EntryVersion, VersionQuery } from "../../mirror-store.js";
import { listValue } from "../engine.js";
import type { PreparedStatements } from "../prepared-statements.js";
import type { EntryReader } from "../read/entry-reader.js";
import { readSql } from "../sql.js";
import type { NumberOf } from "../write/dictionary.js";
import { OriginalPacker, unpackOriginal } from "./packed-original.js";

/** Number of versions per insert. Other work of this thread runs between inserts. */
const VERSIONS_A_STATEMENT = 2_048;

const KEEP_SQL = readSql("mirror/keep-versions.sql");
const OF_ONE_APP_SQL = readSql("mirror/versions.sql", { APP: "entry_versions.app = $app" });
const OF_ALL_APPS_SQL = readSql("mirror/versions.sql", { APP: "true" });

/**
 * Stores entry versions that are not stored yet. Must run in a transaction of the single writer, so that no other
 * transaction adds the same versions.
 */
export async function keepVersions(
  statements: PreparedStatements,
  project: ProjectNumber,
  versions: readonly EntryVersion[],
  numberOf: NumberOf,
): Promise<void> {
  const packer = new OriginalPacker();
  for (let start = 0; start < versions.length; start += VERSIONS_A_STATEMENT) {
    const some = versions.slice(start, start + VERSIONS_A_STATEMENT);
    const days = some.map(({ day }) => day);
    const originals = some.map(({ original, appId, label }) => packer.pack(original, appId, label));
    await statements.run(KEEP_SQL, {
      project: BigInt(project),
      apps: listValue(some.map(({ appId }) => numberOf(appId))),
      first: Math.min(...days),
      last: Math.max(...days),
      days: listValue(days),
      labels: listValue(some.map(({ label }) => label)),
      fetched_at: listValue(some.map(({ fetchedAt }) => BigInt(fetchedAt))),
      forms: listValue(originals.map(({ form }) => form)),
      figures: listValue(originals.map(({ figures }) => figures)),
    });
  }
}

/** Reads the entry versions as of a moment. */
export async function readVersions(
  reader: EntryReader,
  { project, appId, from, to, asOf }: VersionQuery,
  signal: AbortSignal | undefined,
): Promise<readonly EntryVersion[]> {
  const chunks = await reader.run(
    {
      sql: appId === undefined ? OF_ALL_APPS_SQL : OF_ONE_APP_SQL,
      parameters: {
        project: BigInt(project),
        ...(appId !== undefined && { app: await reader.numberOf(project, appId, signal) }),
        as_of: BigInt(asOf),
        from_day: from.day,
        from_app: appId ?? from.appId ?? "",
        from_label: from.label,
        to_day: to.day,
        to_app: appId ?? to.appId ?? "",
        to_label: to.label,
      },
    },
    signal,
  );
  return chunks.flatMap(versionsIn);
}

/** Converts rows of day, app id, label, time, form and figures to versions. */
export const versionsIn = (chunk: DuckDBDataChunk): EntryVersion[] =>
  chunk.getRows().map(([day, name, labelOfRow, fetchedAt, form, figures]) => {
    const [appId, label] = [String(name), String(labelOfRow)];
    const packed = { form: String(form), figures: figures === null ? null : String(figures) };
    const original = unpackOriginal(packed, appId, label);
    return { day: Number(day), appId, label, fetchedAt: Number(fetchedAt), original };
  });
