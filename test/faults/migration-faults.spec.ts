import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect } from "vitest";
import { queryDuckDb } from "../support/data/duckdb.js";
import { skipWithout } from "../support/needs.js";
import { it } from "../support/servers/process-fixtures.js";
import { textOf } from "../support/text-of.js";

const MODULE = new URL("../../dist/store/duckdb/duckdb-store.js", import.meta.url).href;
const FIRST_MIGRATION = fileURLToPath(
  new URL("../../src/store/duckdb/migrations/0001-initial.sql", import.meta.url),
);
const KILLS = 12;
const ROWS = 300_000;

/** Possible migrations of a later version. Each would fail or leave traces if it ran twice or only partially. */
const FURTHER_MIGRATIONS = {
  "0002-copies.sql": `CREATE TABLE copies AS SELECT key_low, hash(key_low) AS salt FROM partial_states;
    ALTER TABLE partial_states ADD COLUMN source INTEGER DEFAULT 7;`,
  "0003-more.sql":
    "INSERT INTO copies SELECT key_low + 1, hash(key_low + 1) FROM partial_states; CREATE TABLE kept (id INTEGER);",
};

let place: string;
let migrations: string;
it.beforeEach(async ({ directory }) => {
  place = directory;
  migrations = join(place, "migrations");
  await mkdir(migrations);
  await copyFile(FIRST_MIGRATION, join(migrations, "0001-initial.sql"));
});

/** A process that opens the store and closes it again, optionally under `prlimit`. */
function openInProcess(limits: readonly string[] = []) {
  const script = `
    const { DuckDbStore } = await import(${JSON.stringify(MODULE)});
    const [directory, migrations] = process.argv.slice(1);
    try {
      const store = await DuckDbStore.open({ directory, memoryLimit: "256MB", migrations: new URL(migrations) });
      await store.close();
    } catch (error) {
      console.log(error.name + ": " + error.message);
      process.exitCode = 1;
    }`;
  const [command = "", ...args] = [
    ...limits,
    process.execPath,
    "--input-type=module",
    "--eval",
    script,
    place,
    `${pathToFileURL(migrations).href}/`,
  ];
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  const output = textOf(child.stdout);
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, output: output() }));
  return { child, ended };
}

const query = (sql: string) => queryDuckDb(sql, join(place, "waybill.duckdb"));

/** Creates a database of the first version with events, then adds a later version's migrations. */
async function prepareUpgrade(): Promise<void> {
  expect(await openInProcess().ended).toEqual({ code: 0, output: "" });
  await query(
    `INSERT INTO partial_states SELECT 1, i % 9, 1, hash(i), hash(i + 1), i, i, i, 2 FROM range(${ROWS}) AS t(i)`,
  );
  for (const [name, sql] of Object.entries(FURTHER_MIGRATIONS)) await writeFile(join(migrations, name), sql);
}

async function expectUpgraded(): Promise<void> {
  const versions = "SELECT list(version ORDER BY version)::VARCHAR FROM schema_migrations";
  expect(await query(versions)).toEqual([["[1, 2, 3]"]]);
  expect(
    await query("SELECT count(*), count(DISTINCT key_high) FROM partial_states WHERE source = 7"),
  ).toEqual([[String(ROWS), String(ROWS)]]);
  expect(await query("SELECT count(*) FROM copies WHERE salt = hash(key_low)")).toEqual([[String(2 * ROWS)]]);
}

/** Waits until a process exits, or for a time after which the next kill hits a different moment of the work. */
const endOrPause = (ended: Promise<unknown>, pauseMs: number): Promise<unknown> =>
  Promise.race([ended, sleep(pauseMs)]);

it("each migration runs exactly once and completely, despite kills", async () => {
  await prepareUpgrade();
  let killed = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const { child, ended } = openInProcess();
    await endOrPause(ended, 100 + 35 * kill);
    if (child.kill("SIGKILL")) killed++;
    await ended;
  }
  expect(killed).toBeGreaterThan(0);
  expect(await openInProcess().ended).toEqual({ code: 0, output: "" });
  await expectUpgraded();
});

it("killing the server during its first start never leaves a partial database", async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    const { child, ended } = openInProcess();
    await endOrPause(ended, 60 + 20 * kill);
    child.kill("SIGKILL");
    await ended;
  }
  expect(await openInProcess().ended).toEqual({ code: 0, output: "" });
});

it("a full disk during a migration is reported in one line, and the migration succeeds when there is space", async ({
  skip,
}) => {
  skipWithout("Linux", skip);
  await prepareUpgrade();
  for (const bytes of [6_000_000, 8_000_000, 11_000_000]) {
    const { code, output } = await openInProcess(["prlimit", `--fsize=${bytes}`]).ended;
    expect([code, output]).toEqual([1, expect.stringMatching(/^StoreOpenError: [^\n]+\n$/)]);
  }
  expect(await openInProcess().ended).toEqual({ code: 0, output: "" });
  await expectUpgraded();
});

it("a server does not start if a migration fails, and starts when the migration is fixed", async () => {
  await prepareUpgrade();
  const file = join(migrations, "0003-more.sql");
  await writeFile(file, `${FURTHER_MIGRATIONS["0003-more.sql"]} SELECT error('not this time');`);
  const { code, output } = await openInProcess().ended;
  expect(code).toBe(1);
  expect(output).toMatch(/^StoreOpenError: [^\n]*not this time[^\n]*\n$/);
  expect(await query("SELECT max(version) FROM schema_migrations")).toEqual([[2]]);
  await writeFile(file, FURTHER_MIGRATIONS["0003-more.sql"]);
  expect(await openInProcess().ended).toEqual({ code: 0, output: "" });
  await expectUpgraded();
});
