import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { type Day, dayOf } from "../../../model/day.js";
import type { KeptAnswer } from "../../mirror-store.js";
import { integerList, projectLiteral, textLiteral } from "../literals.js";
import type { Tables } from "../open-tables.js";
import { RowReader, RowWriter } from "../row-binary.js";
import { sqlTemplate } from "../tables.js";
import { REPEATABLE } from "./repeatable.js";

/** Maximum number of answers that share an insert, and number of their bytes at which it takes no further ones. */
const ANSWERS_TOGETHER = 64;
const BYTES_TOGETHER = 32 * 1024 * 1024;
/** Room for a row beside its body, in bytes. */
const ROW_BYTES = 512;

const pack = promisify(gzip);
const encoder = new TextEncoder();

/** An answer that waits for its insert. */
interface PendingAnswer extends KeptAnswer {
  readonly project: string;
  readonly day: Day;
  readonly digest: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Stores answers of another service. Those that wait at the same time share an insert: it costs as much as that of a single row.
 */
export class AnswerWriter {
  readonly #tables: Tables;
  readonly #sql;
  readonly #pending: PendingAnswer[] = [];
  #isRunning = false;

  constructor(tables: Tables) {
    const { place } = tables;
    this.#tables = tables;
    this.#sql = {
      known: sqlTemplate("known-answers.sql", place),
      insertAnswers: sqlTemplate("insert-answers.sql", place),
      insertBodies: sqlTemplate("insert-answer-bodies.sql", place),
    };
  }

  /** Stores an answer; resolves when a quorum has it. */
  keep(project: string, answer: KeptAnswer): Promise<void> {
    return new Promise((resolve, reject) => {
      const { appId, fetchedAt, url, body } = answer;
      const day = dayOf(fetchedAt);
      const digest = createHash("sha256").update(body).digest("base64url");
      this.#pending.push({ project, day, appId, fetchedAt, url, body, digest, resolve, reject });
      if (!this.#isRunning) void this.#run();
    });
  }

  /** Inserts what waits, one insert at a time: older engines take no concurrent ones with a quorum. */
  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#pending.length > 0) {
      const answers = this.#nextAnswers();
      try {
        await this.#store(answers);
        for (const { resolve } of answers) resolve();
      } catch (error) {
        for (const { reject } of answers) reject(error);
      }
    }
    this.#isRunning = false;
  }

  #nextAnswers(): readonly PendingAnswer[] {
    let bytes = 0;
    const full = this.#pending.findIndex(({ body }, before) => {
      bytes += body.length;
      return before === ANSWERS_TOGETHER || (before > 0 && bytes > BYTES_TOGETHER);
    });
    return this.#pending.splice(0, full < 0 ? this.#pending.length : full);
  }

  /** Stores bodies, and then the answers: an answer that is found has its body on a quorum of replicas. */
  async #store(answers: readonly PendingAnswer[]): Promise<void> {
    const known = await this.#tables.retries.run(() => this.#known(answers));
    const unknown = new Map(answers.map((answer) => [keyOf(answer), answer]));
    for (const key of known) unknown.delete(key);
    if (unknown.size > 0) await this.#insert(this.#sql.insertBodies(), await bodyRows([...unknown.values()]));
    await this.#insert(this.#sql.insertAnswers(), answerRows(answers));
  }

  /** The keys of the bodies that earlier answers had. */
  async #known(answers: readonly PendingAnswer[]): Promise<readonly string[]> {
    const { connection, settings } = this.#tables;
    const sql = this.#sql.known({
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
}: Pick<PendingAnswer, "project" | "day" | "appId" | "digest">): string =>
  `${project}/${day}/${digest}/${appId}`;

async function bodyRows(answers: readonly PendingAnswer[]): Promise<Buffer> {
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

function answerRows(answers: readonly PendingAnswer[]): Buffer {
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
