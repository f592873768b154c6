import { SerialQueue } from "../../limits/pacing.js";
import type { Day } from "../../model/day.js";
import type { ProjectNumber } from "../../model/names.js";
import type { EntryVersion, VersionQuery } from "../mirror-store.js";
import { integerList, integerLiteral, projectLiteral } from "./literals.js";
import type { Tables } from "./open-tables.js";
import { appCondition, rangeCondition } from "./read/entry-statement.js";
import { REPEATABLE } from "./replication.js";
import { RowReader, RowWriter } from "./row-binary.js";
import { sqlTemplate, tableIn } from "./tables.js";
import { DayPartitions } from "./write/day-partitions.js";

const encoder = new TextEncoder();

/** Maximum number of days per insert. Each day is a partition, and the engine allows 100 partitions per insert. */
const DAYS_AN_INSERT = 100;

/** Previous versions of mirrored entries. */
export class KeptVersions {
  readonly #tables: Tables;
  readonly #partitions: DayPartitions;
  readonly #insert: string;
  readonly #read;
  /** Makes inserts happen one at a time, because replicas reject concurrent inserts that wait for a quorum. */
  readonly #inserts = new SerialQueue();

  constructor(tables: Tables) {
    this.#tables = tables;
    this.#partitions = new DayPartitions("entry_versions", tables);
    this.#insert = `INSERT INTO ${tableIn(tables.place, "entry_versions")} (project, day, app, label, fetched_at, original)`;
    this.#read = sqlTemplate("entry-versions.sql", tables.place);
  }

  /** Stores entry versions. Resolves when a quorum of replicas has them. */
  keep(project: ProjectNumber, versions: readonly EntryVersion[]): Promise<void> {
    const { connection, retries, settings } = this.#tables;
    return this.#inserts.run(async () => {
      for (const some of byDays(versions)) {
        const rows = versionRows(project, some);
        await retries.run(() =>
          connection.insert(this.#insert, rows, { ...settings.inserts, ...REPEATABLE }),
        );
      }
    });
  }

  async remove(project: ProjectNumber, days: readonly Day[]): Promise<void> {
    if (days.length > 0) await this.#partitions.dropWhere(project, `day IN (${integerList(days)})`);
  }

  async read(
    { project, appId, from, to, asOf }: VersionQuery,
    signal: AbortSignal | undefined,
  ): Promise<readonly EntryVersion[]> {
    const { connection, settings } = this.#tables;
    const sql = this.#read({
      PROJECT: projectLiteral(project),
      APP: appCondition(appId),
      RANGE: rangeCondition(from, to, appId !== undefined),
      AS_OF: integerLiteral(asOf),
    });
    const rows = new RowReader(await connection.read(sql, settings.queries, signal));
    const versions: EntryVersion[] = [];
    while (!rows.isAtEnd) {
      versions.push({
        day: rows.int32(),
        appId: rows.text(),
        label: rows.text(),
        fetchedAt: rows.count(),
        original: rows.text(),
      });
    }
    return versions;
  }
}

/** Groups versions by insert. */
function byDays(versions: readonly EntryVersion[]): readonly (readonly EntryVersion[])[] {
  const days = [...new Set(versions.map(({ day }) => day))];
  return Array.from({ length: Math.ceil(days.length / DAYS_AN_INSERT) }, (_, i) => {
    const some = new Set(days.slice(i * DAYS_AN_INSERT, (i + 1) * DAYS_AN_INSERT));
    return versions.filter(({ day }) => some.has(day));
  });
}

function versionRows(project: ProjectNumber, versions: readonly EntryVersion[]): Buffer {
  const rows = new RowWriter();
  for (const { day, appId, label, fetchedAt, original } of versions) {
    rows.uint64(BigInt(project));
    rows.int32(day);
    rows.text(encoder.encode(appId));
    rows.text(encoder.encode(label));
    rows.count(fetchedAt);
    rows.text(encoder.encode(original));
  }
  return rows.bytes;
}
