import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { DuckDBBlobValue, DuckDBValue } from "@duckdb/node-api";
import type { ProjectNumber } from "../../../model/names.js";
import type { ResponseQuery, StoredResponse } from "../../mirror-store.js";
import { blobValue } from "../engine.js";
import type { PreparedStatements } from "../prepared-statements.js";
import type { EntryReader } from "../read/entry-reader.js";
import { readSql } from "../sql.js";
import type { NumberOf } from "../write/dictionary.js";

const RESPONSES_SQL = readSql("mirror/responses.sql");
const OF_BODY = "FROM response_bodies WHERE project = $project AND app = $app AND digest = $digest";

const INSERT_RESPONSE_SQL = `INSERT INTO responses
  SELECT $project, $app, $fetched_at, $url, $digest
  WHERE NOT EXISTS (
    FROM responses
    WHERE project = $project AND app = $app AND fetched_at = $fetched_at AND url = $url AND digest = $digest
  )`;

/** A time that is later than any response, in milliseconds since 1970. */
const END_OF_TIME = Number.MAX_SAFE_INTEGER;

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Compresses a body for {@link storeResponse}. */
export const packBody = (body: Uint8Array): Promise<Uint8Array> => pack(body);

/**
 * Stores a response, and its body unless the app already has an identical one. Must run in a transaction of the single
 * writer, so that no other transaction adds or removes the body.
 *
 * @param packed the compressed body. If omitted, an identical body must already be stored.
 * @returns false if the body is missing. Nothing was stored then.
 */
export async function storeResponse(
  statements: PreparedStatements,
  project: ProjectNumber,
  numberOf: NumberOf,
  { appId, fetchedAt, url, body }: StoredResponse,
  packed?: Uint8Array,
): Promise<boolean> {
  const digest = createHash("sha256").update(body).digest();
  const ofBody = { project: BigInt(project), app: numberOf(appId), digest: blobValue(digest) };
  const response = { ...ofBody, fetched_at: BigInt(fetchedAt), url };
  if (packed === undefined) {
    const { rowsChanged } = await statements.run(`${INSERT_RESPONSE_SQL} AND EXISTS (${OF_BODY})`, response);
    if (rowsChanged > 0) return true;
    const known = await statements.run(`SELECT 1 ${OF_BODY} LIMIT 1`, ofBody);
    return known.rowCount > 0;
  }
  await statements.run(
    `INSERT INTO response_bodies SELECT $project, $app, $digest, $body WHERE NOT EXISTS (${OF_BODY})`,
    { ...ofBody, body: blobValue(packed) },
  );
  await statements.run(INSERT_RESPONSE_SQL, response);
  return true;
}

/** Reads a body by its response's columns. Returns `undefined` if it does not exist. */
export async function readBody(
  reader: EntryReader,
  project: ProjectNumber,
  app: DuckDBValue = null,
  digest: DuckDBValue = null,
): Promise<Uint8Array | undefined> {
  const ofBody = { project: BigInt(project), app, digest };
  const [found] = await reader.run({ sql: `SELECT body ${OF_BODY}`, parameters: ofBody });
  const packed = found?.getRows()[0]?.[0] as DuckDBBlobValue | undefined;
  return packed && unpack(packed.bytes);
}

/** Reads the newest responses about an app, and their bodies one by one. Omits responses that are being removed. */
export async function readResponses(
  reader: EntryReader,
  { project, appId, before = END_OF_TIME, skip = 0, limit }: ResponseQuery,
): Promise<readonly StoredResponse[]> {
  const number = await reader.numberOf(project, appId);
  const ofApp = { project: BigInt(project), app: number, before: BigInt(before), skip, limit };
  const chunks = await reader.run({ sql: RESPONSES_SQL, parameters: ofApp });
  const responses: StoredResponse[] = [];
  for (const [fetchedAt, url, app, digest] of chunks.flatMap((chunk) => chunk.getRows())) {
    const body = await readBody(reader, project, app, digest);
    if (body !== undefined) responses.push({ appId, fetchedAt: Number(fetchedAt), url: String(url), body });
  }
  return responses;
}

/**
 * Removes a project's responses from before a time, in milliseconds since 1970. Must run in a transaction of the single
 * writer.
 */
export async function removeResponses(
  statements: PreparedStatements,
  project: ProjectNumber,
  before: number,
): Promise<void> {
  const { rowsChanged } = await statements.run(
    "DELETE FROM responses WHERE project = $project AND fetched_at < $before",
    { project: BigInt(project), before: BigInt(before) },
  );
  if (rowsChanged === 0) return;
  await statements.run(
    `DELETE FROM response_bodies
     WHERE project = $project
       AND (app, digest) NOT IN (SELECT (app, digest) FROM responses WHERE project = $project)`,
    { project: BigInt(project) },
  );
}
