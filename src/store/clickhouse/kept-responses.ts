import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { Batches } from "../../limits/batches.js";
import { type Day, dayOf } from "../../model/day.js";
import type { ProjectNumber } from "../../model/names.js";
import type { ResponseQuery, StoredResponse } from "../mirror-store.js";
import { integerList, integerLiteral, projectLiteral, textList, textLiteral } from "./literals.js";
import type { Tables } from "./open-tables.js";
import { REPEATABLE } from "./replication.js";
import { RowReader, RowWriter } from "./row-binary.js";
import { sqlTemplate, tableIn } from "./tables.js";
import { DayPartitions } from "./write/day-partitions.js";

/** Size in bytes at which an insert is full. Each response counts with at least this size. */
const BYTES_TOGETHER = 32 * 1024 * 1024;
const MIN_BYTES = BYTES_TOGETHER / 64;
/** Initial buffer size per row without its body, in bytes. */
const ROW_BYTES = 512;

const pack = promisify(gzip);
const unpack = promisify(gunzip);
const encoder = new TextEncoder();

interface NewResponse extends Pick<StoredResponse, "appId" | "fetchedAt" | "url"> {
  readonly project: ProjectNumber;
  readonly day: Day;
  readonly digest: string;
  /** The body, or gzip of the body. */
  readonly content: Uint8Array;
  readonly isGzip: boolean;
}

/**
 * The stored upstream responses. Inserts happen one at a time, because replicas reject concurrent inserts that wait for
 * a quorum. Responses that wait in the queue share an insert, which costs as much as an insert of a single row.
 */
export class StoredResponses {
  readonly #tables: Tables;
  readonly #sql;
  readonly #responses: Batches<NewResponse>;
  readonly #partitions: readonly DayPartitions[];

  constructor(tables: Tables) {
    const { place } = tables;
    this.#tables = tables;
    this.#sql = {
      known: sqlTemplate("known-responses.sql", place),
      responses: sqlTemplate("responses.sql", place),
      bodies: sqlTemplate("response-bodies.sql", place),
    };
    this.#partitions = (["responses", "response_bodies"] as const).map(
      (table) => new DayPartitions(table, tables),
    );
    this.#responses = new Batches<NewResponse>({
      maxSize: BYTES_TOGETHER,
      run: async (responses) => {
        await this.#store(responses);
        return responses.map(() => ({ status: "fulfilled", value: undefined }));
      },
    });
  }

  /** Stores a response. Resolves when a quorum of replicas has it. */
  keep(project: ProjectNumber, response: StoredResponse): Promise<void> {
    const { appId, fetchedAt, url, body, gzip } = response;
    const digest = createHash("sha256").update(body).digest("base64url");
    const [content, isGzip] = [gzip ?? body, gzip !== undefined];
    const added = { project, day: dayOf(fetchedAt), appId, fetchedAt, url, digest, content, isGzip };
    return this.#responses.add(project, added, Math.max(content.length, MIN_BYTES));
  }

  async read({ project, appId, before, skip = 0, limit }: ResponseQuery): Promise<readonly StoredResponse[]> {
    const ofApp = { PROJECT: projectLiteral(project), APP_ID: textLiteral(appId) };
    const rows = await this.#rowsOf(
      this.#sql.responses({
        ...ofApp,
        BEFORE: before === undefined ? "1" : `fetched_at < ${integerLiteral(before)}`,
        SKIP: integerLiteral(skip),
        LIMIT: integerLiteral(limit),
      }),
    );
    const responses: { day: Day; fetchedAt: number; url: string; digest: string }[] = [];
    while (!rows.isAtEnd) {
      responses.push({ day: rows.int32(), fetchedAt: rows.count(), url: rows.text(), digest: rows.text() });
    }
    if (responses.length === 0) return [];
    const bodies = await this.#rowsOf(
      this.#sql.bodies({
        ...ofApp,
        DAYS: integerList([...new Set(responses.map(({ day }) => day))]),
        DIGESTS: textList([...new Set(responses.map(({ digest }) => digest))]),
      }),
    );
    const bodyOf = new Map<string, Buffer>();
    while (!bodies.isAtEnd) bodyOf.set(bodies.text(), await unpack(bodies.bytes()));
    return responses.flatMap(({ fetchedAt, url, digest }) => {
      const body = bodyOf.get(digest);
      // Bodies are stored before responses. A body can only be missing while retention removes it together with its
      // response.
      return body === undefined ? [] : [{ appId, fetchedAt, url, body }];
    });
  }

  /** Removes responses from before `day`. */
  async removeBefore(project: ProjectNumber, day: Day): Promise<void> {
    for (const partitions of this.#partitions)
      await partitions.dropWhere(project, `day < ${integerLiteral(day)}`);
  }

  async #rowsOf(sql: string): Promise<RowReader> {
    const { connection, settings } = this.#tables;
    return new RowReader(await connection.read(sql, settings.queries));
  }

  /** Stores bodies before responses. If a response is found, a quorum of replicas therefore has its body. */
  async #store(responses: readonly NewResponse[]): Promise<void> {
    const { place, retries } = this.#tables;
    const known = await retries.run(() => this.#known(responses));
    const unknown = new Map(responses.map((response) => [keyOf(response), response]));
    for (const key of known) unknown.delete(key);
    if (unknown.size > 0) {
      const bodies = `INSERT INTO ${tableIn(place, "response_bodies")} (project, day, app, digest, body)`;
      await this.#insert(bodies, await bodyRows([...unknown.values()]));
    }
    const statement = `INSERT INTO ${tableIn(place, "responses")} (project, day, app, fetched_at, url, digest)`;
    await this.#insert(statement, responseRows(responses));
  }

  /** Returns the keys of bodies that are already stored. */
  async #known(responses: readonly NewResponse[]): Promise<readonly string[]> {
    const sql = this.#sql.known({
      PROJECTS: [...new Set(responses.map(({ project }) => projectLiteral(project)))].join(", "),
      DAYS: integerList([...new Set(responses.map(({ day }) => day))]),
      BODIES: responses
        .map(({ appId, digest }) => `(${textLiteral(appId)}, ${textLiteral(digest)})`)
        .join(", "),
    });
    const rows = await this.#rowsOf(sql);
    const known: string[] = [];
    while (!rows.isAtEnd) {
      const [project, day, appId, digest] = [String(rows.count()), rows.int32(), rows.text(), rows.text()];
      known.push(keyOf({ project, day, appId, digest }));
    }
    return known;
  }

  #insert(statement: string, rows: Buffer): Promise<void> {
    const { connection, retries, settings } = this.#tables;
    return retries.run(() => connection.insert(statement, rows, { ...settings.inserts, ...REPEATABLE }));
  }
}

const keyOf = ({
  project,
  day,
  appId,
  digest,
}: Pick<NewResponse, "project" | "day" | "appId" | "digest">): string =>
  `${project}/${day}/${digest}/${appId}`;

async function bodyRows(responses: readonly NewResponse[]): Promise<Buffer> {
  const rows = new RowWriter(ROW_BYTES * responses.length);
  for (const { project, day, appId, digest, content, isGzip } of responses) {
    rows.uint64(BigInt(project));
    rows.int32(day);
    rows.text(encoder.encode(appId));
    rows.text(encoder.encode(digest));
    rows.text(isGzip ? content : await pack(content));
  }
  return rows.bytes;
}

function responseRows(responses: readonly NewResponse[]): Buffer {
  const rows = new RowWriter(ROW_BYTES * responses.length);
  for (const { project, day, appId, fetchedAt, url, digest } of responses) {
    rows.uint64(BigInt(project));
    rows.int32(day);
    rows.text(encoder.encode(appId));
    rows.count(fetchedAt);
    rows.text(encoder.encode(url));
    rows.text(encoder.encode(digest));
  }
  return rows.bytes;
}
