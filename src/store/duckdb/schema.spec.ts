import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { testDirectory } from "../../../test/support/test-directory.js";
import { LAST_DAY } from "../../model/day.js";
import { accepted, blocksOf, PROJECT, settle } from "../testing/test-events.js";
import { DATABASE_FILE, Database } from "./database.js";
import { DuckDbStore } from "./duckdb-store.js";
import { RELEASED_MIGRATIONS } from "./schema.js";

const MEMORY_LIMIT = "100MB";
const open = (directory: string) => DuckDbStore.open({ directory, memoryLimit: MEMORY_LIMIT });

const messages = (count: number, name: string, eventType: "ACCEPTED" | "DELIVERED" = "ACCEPTED") =>
  blocksOf(Array.from({ length: count }, (_, i) => accepted({ messageId: `${name}${i}`, eventType })));

/** Copies a database to a new one with the first schema, in which rolled-up and waiting states had their own tables. */
async function copyToFirstSchema(source: string, target: string): Promise<void> {
  const migrations = join(target, "migrations");
  await mkdir(migrations, { recursive: true });
  await copyFile(new URL("0001-initial.sql", RELEASED_MIGRATIONS), join(migrations, "0001-initial.sql"));
  const database = await Database.open({
    directory: target,
    memoryLimit: MEMORY_LIMIT,
    migrations: pathToFileURL(`${migrations}/`),
  });
  const connection = await database.connect();
  await connection.run(`ATTACH '${join(source, DATABASE_FILE)}' AS source (READ_ONLY)`);
  const statements = [
    "INSERT INTO apps FROM source.apps",
    "INSERT INTO labels FROM source.labels",
    "INSERT INTO entries FROM source.entries",
    "INSERT INTO stale_days FROM source.stale_days",
    "INSERT INTO counted_days SELECT project, day FROM source.counted_days",
    `INSERT INTO message_states SELECT * EXCLUDE (append_number) FROM source.message_states
     WHERE append_number <= (SELECT max(last_append) FROM source.counted_days)`,
    `INSERT INTO partial_states SELECT * EXCLUDE (append_number) FROM source.message_states
     WHERE append_number > (SELECT max(last_append) FROM source.counted_days)`,
  ];
  for (const statement of statements) await connection.run(statement);
  database.close();
}

it("upgrades a database of the first schema, with its waiting states", async () => {
  const [directory, upgraded] = [await testDirectory(), await testDirectory()];
  const before = await open(directory);
  await before.append(PROJECT, messages(5, "a"));
  await settle(before);
  await before.append(PROJECT, messages(3, "a", "DELIVERED"));
  await before.append(PROJECT, messages(2, "b"));
  await before.close();
  await copyToFirstSchema(directory, upgraded);
  const store = await open(upgraded);
  const read = async () => {
    const entries = await store.readEntries({ project: PROJECT, appId: "app", until: LAST_DAY, limit: 10 });
    const { messages, waitingDays } = await store.figures();
    return {
      counts: entries.flatMap(({ counts }) => counts.slice(0, 3).map(([n]) => n)),
      messages,
      waitingDays,
    };
  };
  expect(await read()).toEqual({ counts: [5, 0, 0], messages: 5, waitingDays: 1 });
  await settle(store);
  expect(await read()).toEqual({ counts: [7, 0, 3], messages: 7, waitingDays: 0 });
  await store.append(PROJECT, messages(7, "b", "DELIVERED"));
  await settle(store);
  expect(await read()).toEqual({ counts: [7, 0, 5], messages: 12, waitingDays: 0 });
  await store.close();
});
