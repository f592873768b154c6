import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Day } from "../../../model/day.js";
import type { AnswerQuery, KeptAnswer } from "../../mirror-store.js";
import { integerList, integerLiteral, projectLiteral, textList, textLiteral } from "../literals.js";
import type { Tables } from "../open-tables.js";
import { RowReader } from "../row-binary.js";
import { sqlTemplate } from "../tables.js";

const unpack = promisify(gunzip);

/** Reads answers of another service. */
export class AnswerReader {
  readonly #tables: Tables;
  readonly #sql;

  constructor(tables: Tables) {
    const { place } = tables;
    this.#tables = tables;
    this.#sql = {
      answers: sqlTemplate("answers.sql", place),
      bodies: sqlTemplate("answer-bodies.sql", place),
    };
  }

  async read({ project, appId, before, skip = 0, limit }: AnswerQuery): Promise<readonly KeptAnswer[]> {
    const ofApp = { PROJECT: projectLiteral(project), APP_ID: textLiteral(appId) };
    const rows = await this.#rowsOf(
      this.#sql.answers({
        ...ofApp,
        BEFORE: before === undefined ? "1" : `fetched_at < ${integerLiteral(before)}`,
        SKIP: integerLiteral(skip),
        LIMIT: integerLiteral(limit),
      }),
    );
    const answers: { day: Day; fetchedAt: number; url: string; digest: string }[] = [];
    while (!rows.isAtEnd) {
      answers.push({ day: rows.int32(), fetchedAt: rows.count(), url: rows.text(), digest: rows.text() });
    }
    if (answers.length === 0) return [];
    const bodies = await this.#rowsOf(
      this.#sql.bodies({
        ...ofApp,
        DAYS: integerList([...new Set(answers.map(({ day }) => day))]),
        DIGESTS: textList([...new Set(answers.map(({ digest }) => digest))]),
      }),
    );
    const bodyOf = new Map<string, Buffer>();
    while (!bodies.isAtEnd) bodyOf.set(bodies.text(), await unpack(bodies.bytes()));
    return answers.flatMap(({ fetchedAt, url, digest }) => {
      const body = bodyOf.get(digest);
      // A body is stored before its answers: without it, retention is removing both.
      return body === undefined ? [] : [{ appId, fetchedAt, url, body }];
    });
  }

  async #rowsOf(sql: string): Promise<RowReader> {
    const { connection, settings } = this.#tables;
    return new RowReader(await connection.read(sql, settings.queries));
  }
}
