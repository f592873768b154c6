import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { Batches } from "../../../limits/batches.js";
import { type Day, dayOf } from "../../../model/day.js";
import type { SqlTemplate } from "../../../sql/template.js";
import type { KeptAnswer } from "../../mirror-store.js";
import { integerList, projectLiteral, textLiteral } from "../literals.js";
import type { Tables } from "../open-tables.js";
import { RowReader, RowWriter } from "../row-binary.js";
import { sqlTemplate, tableIn } from "../tables.js";
import { REPEATABLE } from "./repeatable.js";

/** Number of bytes at which an insert gets no further answers, and the number that an answer counts at least. */
const BYTES_TOGETHER = 32 * 1024 * 1024;
const MIN_BYTES = BYTES_TOGETHER / 64;
/** Room for a row beside its body, in bytes. */
const ROW_BYTES = 512;

const pack = promisify(gzip);
const encoder = new TextEncoder();

/** An answer to store. */
interface NewAnswer extends KeptAnswer {
  readonly project: string;
  readonly day: Day;
  readonly digest: string;
}

/**
 * Stores answers of another service, one insert at a time, as replicas take no concurrent ones with a quorum
 * ({@link Replication.inserts}). Answers that wait at the same time share an insert, which costs as much as that of a single row.
 */
export class AnswerWriter {
  readonly #tables: Tables;
  readonly #known: SqlTemplate;
  readonly #answers: Batches<NewAnswer>;

  constructor(tables: Tables) {
    const { place } = tables;
    this.#tables = tables;
    this.#known = sqlTemplate("known-answers.sql", place);
    this.#answers = new Batches<NewAnswer>({
      maxSize: BYTES_TOGETHER,
      run: async (answers) => {
        await this.#store(answers);
        return answers.map(() => undefined);
      },
    });
  }

  /** Stores an answer; resolves when a quorum has it. */
  keep(project: string, answer: KeptAnswer): Promise<void> {
    const { appId, fetchedAt, url, body } = answer;
    const digest = createHash("sha256").update(body).digest("base64url");
    const added = { project, day: dayOf(fetchedAt), appId, fetchedAt, url, body, digest };
    return this.#answers.add(project, added, Math.max(body.length, MIN_BYTES));
  }

  /** Stores bodies, and then the answers: an answer that is found has its body on a quorum of replicas. */
  async #store(answers: readonly NewAnswer[]): Promise<void> {
    const { place, retries } = this.#tables;
    const known = await retries.run(() => this.#keysOfKnown(answers));
    const unknown = new Map(answers.map((answer) => [keyOf(answer), answer]));
    for (const key of known) unknown.delete(key);
    if (unknown.size > 0) {
      const bodies = `INSERT INTO ${tableIn(place, "answer_bodies")} (project, day, app, digest, body)`;
      await this.#insert(bodies, await bodyRows([...unknown.values()]));
    }
    const statement = `INSERT INTO ${tableIn(place, "answers")} (project, day, app, fetched_at, url, digest)`;
    await this.#insert(statement, answerRows(answers));
  }

  /** The keys of the bodies that earlier answers had. */
  async #keysOfKnown(answers: readonly NewAnswer[]): Promise<readonly string[]> {
    const { connection, settings } = this.#tables;
    const sql = this.#known({
      PROJECTS: [...new Set(answers.map(({ project }) => projectLiteral(project)))].join(", "),
      DAYS: integerList([...new Set(answers.map(({ day }) => day))]),
      BODIES: answers
        .map(({ appId, digest }) => `(${textLiteral(appId)}, ${textLiteral(digest)})`)
        .join(", "),
    });
    const rows = new RowReader(await connection.read(sql, settings.queries));
    const known: string[] = [];
    while (!rows.isAtEnd) {
      const [project, day, appId, digest] = [String(rows.count()), rows.int32(), rows.text(), rows.text()];
      known.push(keyOf({ project, day, appId, digest }));
    }
    return known;
  }

  #insert(statement: string, rows: Buffer): Promise<void> {
    const { connection, retries, settings } = this.#tables;
    return retries.run(() => connection.insert(statement, [rows], { ...settings.inserts, ...REPEATABLE }));
  }
}

/** Identifies a body. */
const keyOf = ({
  project,
  day,
  appId,
  digest,
}: Pick<NewAnswer, "project" | "day" | "appId" | "digest">): string => `${project}/${day}/${digest}/${appId}`;

async function bodyRows(answers: readonly NewAnswer[]): Promise<Buffer> {
  const rows = new RowWriter(ROW_BYTES * answers.length);
  for (const { project, day, appId, digest, body } of answers) {
    rows.uint64(BigInt(project));
    rows.int32(day);
    rows.text(encoder.encode(appId));
    rows.text(encoder.encode(digest));
    rows.text(await pack(body));
  }
  return rows.bytes;
}

function answerRows(answers: readonly NewAnswer[]): Buffer {
  const rows = new RowWriter(ROW_BYTES * answers.length);
  for (const { project, day, appId, fetchedAt, url, digest } of answers) {
    rows.uint64(BigInt(project));
    rows.int32(day);
    rows.text(encoder.encode(appId));
    rows.count(fetchedAt);
    rows.text(encoder.encode(url));
    rows.text(encoder.encode(digest));
  }
  return rows.bytes;
}
