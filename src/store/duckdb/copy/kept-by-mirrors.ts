import type { DuckDBConnection } from "@duckdb/node-api";
import type { ProjectNumber } from "../../../model/names.js";
import type { EntryVersion, StoredResponse } from "../../mirror-store.js";
import { readBody } from "../mirror/kept-responses.js";
import { versionsIn } from "../mirror/kept-versions.js";
import type { EntryReader } from "../read/entry-reader.js";

/** Maximum number of responses in a batch. A batch also ends when its bodies have a certain size. */
const RESPONSES_TOGETHER = 64;
const BYTES_TOGETHER = 32 * 1024 * 1024;

const EXTENT_SQL = `
  SELECT project, count(*) FILTER (is_response), count(*) FILTER (NOT is_response)
  FROM (
    SELECT project, true AS is_response FROM responses
    UNION ALL
    SELECT project, false AS is_response FROM entry_versions
  )
  GROUP BY project
  ORDER BY project`;
const VERSIONS_SQL = `
  SELECT day, name, label, fetched_at::DOUBLE, original_form, original_figures
  FROM entry_versions JOIN apps ON apps.id = entry_versions.app
  WHERE entry_versions.project = $project`;
const RESPONSES_SQL = `
  SELECT name, fetched_at::DOUBLE, url, app, digest
  FROM responses JOIN apps ON apps.id = responses.app
  WHERE responses.project = $project
  ORDER BY fetched_at, app, url`;

/** Amount of mirror data in a project, without entries. */
export interface KeptByMirror {
  readonly project: ProjectNumber;
  /** Number of responses, and number of entry versions. */
  readonly responses: number;
  readonly versions: number;
}

/** Measures the data of all mirrors, by project. */
export async function readKeptByMirrors(connection: DuckDBConnection): Promise<readonly KeptByMirror[]> {
  const result = await connection.runAndReadAll(EXTENT_SQL);
  return result.getRows().map(([project, responses, versions]) => ({
    project: String(project),
    responses: Number(responses),
    versions: Number(versions),
  }));
}

/** Reads all entry versions of a project, in batches. */
export async function* streamVersions(
  connection: DuckDBConnection,
  project: ProjectNumber,
): AsyncGenerator<readonly EntryVersion[]> {
  const result = await connection.stream(VERSIONS_SQL, { project: BigInt(project) });
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return;
    yield versionsIn(chunk);
  }
}

/**
 * Reads all responses of a project, oldest first, in batches.
 *
 * @param reader reads bodies on another connection.
 */
export async function* streamResponses(
  connection: DuckDBConnection,
  reader: EntryReader,
  project: ProjectNumber,
): AsyncGenerator<readonly StoredResponse[]> {
  const result = await connection.stream(RESPONSES_SQL, { project: BigInt(project) });
  let together: StoredResponse[] = [];
  let bytes = 0;
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) break;
    for (const [appId, fetchedAt, url, app, digest] of chunk.getRows()) {
      const body = await readBody(reader, project, app, digest);
      if (body === undefined) continue;
      together.push({ appId: String(appId), fetchedAt: Number(fetchedAt), url: String(url), body });
      bytes += body.length;
      if (together.length < RESPONSES_TOGETHER && bytes < BYTES_TOGETHER) continue;
      yield together;
      together = [];
      bytes = 0;
    }
  }
  if (together.length > 0) yield together;
}
