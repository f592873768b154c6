import { existsSync, mkdirSync, readdirSync, readlinkSync, rmSync, statSync } from "node:fs";
import { open, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import Database from "libsql";
import { beforeEach, describe, expect, it } from "vitest";
import { testDirectory } from "../../../test/support/test-directory.js";
import { systemClock } from "../../model/clock.js";
import { StoreDamagedError, StoreOpenError, StoreUnavailableError } from "../../model/store-error.js";
import { eraseRecords } from "../erase-records.js";
import { RECORD_KINDS, type RecordChange, type RecordKind } from "../records.js";
import { contentOfAllKinds, fillAllKinds } from "../testing/all-kinds.js";
import { describeRecords } from "../testing/records/records-conformance.js";
import { testRecords } from "../testing/test-records.js";
import { EmbeddedRecords } from "./embedded-records.js";
import { RECORDS_FILE } from "./records-file.js";
import { writeRecordsSnapshot } from "./records-snapshot.js";

const KIND: RecordKind = { name: "plain" };

let directory: string;
beforeEach(async () => {
  directory = await testDirectory();
});

const path = (): string => join(directory, RECORDS_FILE);
const openRecords = () => testRecords(directory);

describeRecords("EmbeddedRecords", async () => {
  let now = 1_000_000;
  return {
    open: () => testRecords(directory, { wall: () => now, monotonic: () => now }),
    now: () => now,
    pass: (milliseconds) => {
      now += milliseconds;
    },
  };
});

async function allOf<T>(steps: AsyncIterable<readonly T[]>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const some of steps) all.push(...some);
  return all;
}

/** Creates a file with many records, and overwrites a part of it. */
async function damage(position: number, length: number): Promise<void> {
  const records = await openRecords();
  const value = "x".repeat(200);
  await Promise.all(
    Array.from({ length: 1_000 }, (_, index) => records.change([{ kind: KIND, key: `key-${index}`, value }])),
  );
  await records.close();
  const file = await open(path(), "r+");
  await file.write(Buffer.alloc(length, 0xab), 0, length, position);
  await file.close();
}

describe("the records file", () => {
  it("is readable only by its owner, and so are its journal files", async () => {
    const records = await openRecords();
    await records.change([{ kind: KIND, key: "a", value: 1 }]);
    const files = readdirSync(directory);
    expect(files).toContain(RECORDS_FILE);
    for (const file of files) expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600);
    await records.close();
    expect(await EmbeddedRecords.openExisting(directory, systemClock)).toBeDefined();
  });

  it("is not created by openExisting", async () => {
    expect(await EmbeddedRecords.openExisting(directory, systemClock)).toBeUndefined();
    expect(existsSync(path())).toBe(false);
  });

  it("cannot be opened if its path is below a file, with an error of one line", async () => {
    await writeFile(join(directory, "file"), "");
    const opened = EmbeddedRecords.open(join(directory, "file"), systemClock);
    await expect(opened).rejects.toBeInstanceOf(StoreOpenError);
    await expect(opened).rejects.toThrow(/^the control data in \S+records\.db cannot be opened: [^\n]+$/);
  });

  it("cannot be opened if a newer version has written it", async () => {
    await (await openRecords()).close();
    const database = new Database(path());
    database.exec("PRAGMA user_version = 2");
    database.close();
    await expect(openRecords()).rejects.toThrow(
      /has version 2, but this version of waybill supports at most version 1; .+newer/,
    );
  });

  it("cannot be opened if its header is damaged", async () => {
    await damage(0, 4096);
    await expect(openRecords()).rejects.toThrow(/cannot be opened: it is damaged; restore it from a backup$/);
  });

  it("reports damaged pages when they are read or checked", async () => {
    await damage(8192, 100_000);
    const records = await openRecords();
    await expect(records.list(KIND, { limit: 10_000 })).rejects.toBeInstanceOf(StoreDamagedError);
    const problems = records.check();
    expect(problems.length).toBeGreaterThan(0);
    for (const problem of problems) expect(problem).toMatch(/^\S+records\.db is damaged: [^\n]+$/);
    await records.close();
  });

  it("reports that it is truncated", async () => {
    await damage(0, 0);
    await truncate(path(), statSync(path()).size / 2);
    const records = await openRecords();
    await expect(records.list(KIND, { limit: 10_000 })).rejects.toBeInstanceOf(StoreDamagedError);
    await records.close();
  });

  it("passes a check if it is not damaged", async () => {
    const records = await openRecords();
    await records.change([{ kind: KIND, key: "a", value: 1 }]);
    expect(records.check()).toEqual([]);
    await records.close();
  });

  it("rejects calls after it was closed", async () => {
    const records = await openRecords();
    await records.close();
    await expect(records.get(KIND, "a")).rejects.toBeInstanceOf(StoreUnavailableError);
    await expect(records.change([{ kind: KIND, key: "a", value: 1 }])).rejects.toBeInstanceOf(
      StoreUnavailableError,
    );
  });
});

describe("a snapshot of the records file", () => {
  it("contains all records except secrets, and their history, as of one moment", async () => {
    const records = await openRecords();
    const config = { kind: RECORD_KINDS.appAttestConfig, key: "7/a", value: { revision: 1 } };
    await records.change([config]);
    await records.change([{ kind: RECORD_KINDS.key, key: "page-token.key", value: "secret-text" }]);
    const copy = join(directory, "copy");
    await (await EmbeddedRecords.open(copy, systemClock)).close();
    rmSync(join(copy, RECORDS_FILE));
    await records.snapshot(join(copy, RECORDS_FILE));
    await records.change([{ ...config, value: { revision: 2 } }]);
    const copied = await EmbeddedRecords.open(copy, systemClock);
    expect((await copied.get(config.kind, config.key))?.value).toEqual({ revision: 1 });
    expect(await copied.history({ kinds: [config.kind], limit: 10 })).toHaveLength(1);
    expect(await copied.get(RECORD_KINDS.key, "page-token.key")).toBeUndefined();
    await copied.close();
    const bytes = await readFile(join(copy, RECORDS_FILE));
    expect(bytes.includes("secret-text")).toBe(false);
    expect(statSync(join(copy, RECORDS_FILE)).mode & 0o777).toBe(0o600);
    await records.close();
  });

  it("contains records of all kinds, with the history of audited kinds", async () => {
    const records = await openRecords();
    await fillAllKinds(records);
    const copy = join(directory, "copy");
    mkdirSync(copy);
    await records.snapshot(join(copy, RECORDS_FILE));
    const copied = await EmbeddedRecords.open(copy, systemClock);
    const content = await contentOfAllKinds(records);
    expect(content.history.length).toBeGreaterThan(5);
    expect(await contentOfAllKinds(copied)).toEqual(content);
    expect(copied.check()).toEqual([]);
    await copied.close();
    await records.close();
  });

  it.skipIf(process.platform !== "linux")("closes its files if it fails", async () => {
    await writeFile(path(), "no database ".repeat(1_000));
    await expect(writeRecordsSnapshot(path(), join(directory, "copy"))).rejects.toBeInstanceOf(
      StoreDamagedError,
    );
    // A thread of the library may use the file a moment longer.
    await expect.poll(() => openFilesBelow(directory)).toEqual([]);
  });

  it("contains no bytes of erased records or of removed history", async () => {
    const records = await openRecords();
    const { appAttestConfig, incidents } = RECORD_KINDS;
    const changes = [appAttestConfig, incidents].map((kind) => ({
      kind,
      key: "7/erased-app",
      value: "erased-value",
    }));
    await records.change(changes);
    while (!(await eraseRecords(records, [appAttestConfig, incidents], "7")));
    await records.removeHistory(Number.MAX_SAFE_INTEGER, 100);
    const copy = join(directory, "copy");
    await records.snapshot(copy);
    const bytes = await readFile(copy);
    expect(bytes.includes("erased-")).toBe(false);
    await records.close();
  });
});

function openFilesBelow(folder: string): readonly string[] {
  const descriptors = readdirSync("/proc/self/fd").map((name) => `/proc/self/fd/${name}`);
  // One descriptor belonged to the list itself, and is closed.
  const files = descriptors.flatMap((path) => (existsSync(path) ? readlinkSync(path) : []));
  return files.filter((file) => file.startsWith(folder));
}

/** Groups of changes to few records, so that many groups change the same records. */
const groupsOfChanges = fc.array(
  fc.uniqueArray(
    fc.record(
      {
        kind: fc.constantFrom<RecordKind>(
          KIND,
          { name: "followed", isFollowed: true },
          { name: "audited", isAudited: true },
          { name: "secret", isAudited: true, isSecret: true },
        ),
        key: fc.constantFrom("1/a", "1/\u00e4 \"'"),
        value: fc.option(fc.constantFrom(1, "\u0000\ud800'\"", [null]), { nil: undefined }),
        ifRevision: fc.option(fc.nat({ max: 4 }), { nil: undefined }),
        expireTime: fc.option(fc.constantFrom(1, 9_000_000), { nil: undefined }),
        note: fc.option(fc.constant({ by: "me" }), { nil: undefined }),
      },
      { requiredKeys: ["kind", "key", "value"] },
    ),
    { selector: ({ kind, key }) => `${kind.name} ${key}`, minLength: 1, maxLength: 3 },
  ),
  { minLength: 1, maxLength: 12 },
);

it("EmbeddedRecords changes records together as it changes them one after another", async () => {
  let number = 0;
  const resultOf = async (change: (records: EmbeddedRecords) => Promise<readonly unknown[]>) => {
    const clock = { wall: () => 1_000_000, monotonic: () => 0 };
    const records = await EmbeddedRecords.open(join(directory, `${number++}`), clock);
    const revisions = await change(records);
    const all = [await allOf(records.allRecords()), await allOf(records.allHistory())];
    await records.close();
    return [revisions, all];
  };
  await fc.assert(
    fc.asyncProperty(groupsOfChanges, async (groups: readonly RecordChange[][]) => {
      const together = await resultOf((records) =>
        Promise.all(groups.map((changes) => records.change(changes))),
      );
      const inSequence = await resultOf(async (records) => {
        const revisions: (number | undefined)[] = [];
        for (const changes of groups) revisions.push(await records.change(changes));
        return revisions;
      });
      expect(together).toEqual(inSequence);
    }),
    { numRuns: 60 },
  );
});

it("EmbeddedRecords lists all records and their history in steps", async () => {
  const records = await openRecords();
  const { appAttestConfig, key } = RECORD_KINDS;
  for (const n of [1, 2]) await records.change([{ kind: appAttestConfig, key: "7/a", value: n }]);
  await records.change([{ kind: appAttestConfig, key: "7/b", value: undefined }]);
  await records.change([{ kind: key, key: "secret", value: 1 }]);
  await records.change([{ kind: KIND, key: "p", value: 1, expireTime: 8_640_000_000_000_000 }]);
  const all = await allOf(records.allRecords());
  expect(all).toEqual([
    { kind: "app-attest-config", key: "7/a", value: 2, revision: 2, isFollowed: true },
    { kind: "app-attest-config", key: "7/b", value: undefined, revision: 3, isFollowed: true },
    { kind: "plain", key: "p", value: 1, revision: 5, isFollowed: false, expireTime: 8_640_000_000_000_000 },
  ]);
  const history = await allOf(records.allHistory());
  expect(history.map(({ revision, previous }) => [revision, previous])).toEqual([
    [1, undefined],
    [2, 1],
    [3, undefined],
  ]);
  await records.close();
});
