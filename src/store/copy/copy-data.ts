import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Control, ControlCopy } from "../../control/control.js";
import type { DayLedger } from "../../control/day-ledger.js";
import type { EmbeddedRecords } from "../../control/embedded/embedded-records.js";
import { sharedKey } from "../../control/keys.js";
import type { CopiedRecord, HistoryEntry, Json, Records } from "../../control/records.js";
import type { Day } from "../../model/day.js";
import type { ProjectNumber } from "../../model/names.js";
import { StoreOpenError } from "../../model/store-error.js";
import { type ClickHouseTarget, MAX_DAYS_TOGETHER } from "../clickhouse/copy/clickhouse-target.js";
import type { DuckDbSource, StoredDay } from "../duckdb/copy/duckdb-source.js";
import type { KeptByMirror } from "../duckdb/copy/kept-by-mirrors.js";
import { compareProject } from "./compare.js";
import { batchesOf, rowsOf } from "./project-days.js";

/** Maximum number of rows to copy together. A day with more rows is copied on its own. */
const ROWS_TOGETHER = 1_000_000;

export type CopySource = Omit<DuckDbSource, "close">;

/** Source, target and callbacks of a copy. */
export interface Copying {
  readonly source: CopySource;
  /** Control data of the source. `undefined` if the source has none. */
  readonly records: Pick<EmbeddedRecords, "allRecords" | "allHistory"> | undefined;
  /** Keys to copy, by name. */
  readonly keys: ReadonlyMap<string, Json>;
  readonly target: ClickHouseTarget;
  readonly control: Pick<Control, "records">;
  /** Day ledger of the cluster, and the copy that creates its control data. */
  readonly ledger: DayLedger;
  readonly copy: ControlCopy;
  /** Called once with the number of rows to copy. */
  readonly onTotal: (rows: number) => void;
  /** Called with the number of rows that were copied since the last call, in this attempt or an earlier one. */
  readonly onRows: (rows: number) => void;
  readonly rowsTogether?: number;
}

export interface Copied {
  readonly projects: number;
  /** Number of days with data, across all projects. */
  readonly days: number;
  /** Number of message states. */
  readonly states: number;
  readonly entries: number;
  /** Number of mirrored responses, and number of entry versions. */
  readonly responses: number;
  readonly versions: number;
  /** Number of changes in the control data history. */
  readonly changes: number;
  /** Differences between copy and source. If there are any, the copy is not complete. */
  readonly problems: readonly string[];
}

/**
 * Copies all data of a stopped server into an empty cluster, and compares both. May be repeated until the copy is
 * complete. Each attempt skips days that were already copied, but copies all mirror data again.
 *
 * @throws StoreOpenError if the cluster has other data.
 * @throws StoreUnavailableError if a part of the cluster fails.
 */
export async function copyData(copying: Copying): Promise<Copied> {
  const { source, target, control, ledger, copy, rowsTogether = ROWS_TOGETHER } = copying;
  const [days, sealedUntil] = [await source.days(), await source.sealedUntil()];
  const mirrors = await source.mirrors();
  const { records, history } = await contentsOf(copying.records);
  if ((await copy.state()) === "none") await expectEmpty(target);
  await copy.begin(digestOf(days, sealedUntil, history, mirrors));
  for (const [name, key] of copying.keys) await copyKey(control.records, name, key);
  const [responses, versions] = [
    mirrors.reduce((sum, { responses }) => sum + responses, 0),
    mirrors.reduce((sum, { versions }) => sum + versions, 0),
  ];
  copying.onTotal(days.reduce((sum, day) => sum + rowsOf(day), responses + versions));
  const projects = batchesOf(days, { rows: rowsTogether, days: MAX_DAYS_TOGETHER });
  for (const { project, batches } of projects) {
    for (const batch of batches) {
      await copyBatch(source, target, project, batch);
      copying.onRows(batch.reduce((sum, day) => sum + rowsOf(day), 0));
    }
  }
  for (const { project } of mirrors) await copyMirror(copying, project);
  if (sealedUntil !== undefined) await ledger.seal(sealedUntil);
  await copy.addRecords(records, history);
  const problems: string[] = [];
  for (const each of projects) problems.push(...(await compareProject(source, target, each)));
  const [found, expected] = [await copy.historyLength(), history.length];
  if (found !== expected) problems.push(`the history has ${found} changes instead of ${expected}`);
  if (problems.length === 0) await copy.complete();
  const sum = (count: (day: StoredDay) => number) => days.reduce((total, day) => total + count(day), 0);
  return {
    projects: projects.length,
    days: days.length,
    states: sum(({ states }) => states),
    entries: sum(({ entries }) => entries),
    responses,
    versions,
    changes: history.length,
    problems,
  };
}

async function copyBatch(
  source: CopySource,
  target: ClickHouseTarget,
  project: ProjectNumber,
  batch: readonly StoredDay[],
): Promise<void> {
  const days = batch.map(({ day }) => day);
  const done = await target.takenOver(project, days);
  if (done.size === days.length) return;
  const [first = 0, last = first] = [days[0], days.at(-1)];
  const former = batch.map(({ day, states, waitingEvents, waitingSince, isCounted, entries }) => ({
    day,
    isRolledUp: isCounted || (states > 0 && waitingEvents === 0),
    states,
    waitingEvents,
    waitingSince,
    isEmpty: entries === 0,
  }));
  await target.takeOver(project, former, {
    states: () => source.states(project, days),
    entries: () => source.entries(project, first, last),
  });
}

/** Copies upstream responses and entry versions of a project. */
async function copyMirror({ source, target, onRows }: Copying, project: ProjectNumber): Promise<void> {
  for await (const versions of source.versions(project)) {
    await target.keepVersions(project, versions);
    onRows(versions.length);
  }
  for await (const responses of source.responses(project)) {
    await Promise.all(responses.map((response) => target.storeResponse(project, response)));
    onRows(responses.length);
  }
}

/** Returns a digest that identifies the source. It stays the same as long as the server is stopped. */
function digestOf(
  days: readonly StoredDay[],
  sealedUntil: Day | undefined,
  history: readonly HistoryEntry[],
  mirrors: readonly KeptByMirror[],
): string {
  const contents = JSON.stringify([days, sealedUntil ?? null, history, mirrors]);
  return createHash("sha256").update(contents).digest("hex");
}

/** Reads all control data. The data fits into memory, because records of kinds with many records expire soon. */
async function contentsOf(source: Copying["records"]): Promise<{
  readonly records: readonly CopiedRecord[];
  readonly history: readonly HistoryEntry[];
}> {
  const [records, history]: [CopiedRecord[], HistoryEntry[]] = [[], []];
  if (source !== undefined) {
    for await (const some of source.allRecords()) records.push(...some);
    for await (const some of source.allHistory()) history.push(...some);
  }
  return { records, history };
}

async function copyKey(records: Records, name: string, key: Json): Promise<void> {
  const { value, place } = await sharedKey(records, name, () => key);
  if (isDeepStrictEqual(value, key)) return;
  throw new StoreOpenError(`the target already has a different key: ${place}; copy into an empty database`);
}

async function expectEmpty(target: ClickHouseTarget): Promise<void> {
  if (await target.isEmpty()) return;
  throw new StoreOpenError("the ClickHouse database has other data; copy into an empty one");
}
