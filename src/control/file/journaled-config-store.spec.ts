import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, test, vi } from "vitest";
import { WaitTimeoutError } from "../../limits/limit-wait.js";
import { MAX_WAIT_MS } from "../../limits/limits.js";
import { StoreOpenError, StoreUnavailableError } from "../../model/store-error.js";
import type { AppAttestConfigChange, StoredAppAttestConfig } from "../app-attest-config-store.js";
import type { RegisteredProject } from "../project-registry.js";
import { describeAppAttestConfigStore } from "../testing/app-attest-config-conformance.js";
import { CHANGES_FILE } from "./change-history.js";
import { type ChangeRecord, encodeRecord } from "./change-record.js";
import { JournaledConfigStore } from "./journaled-config-store.js";
import { type JournalDamage, readChanges } from "./read-journal.js";

const PROJECT = "7";
const ttl = (seconds: number) => ({ seconds: BigInt(seconds), nanos: 0 });
const PROJECTS = [
  {
    id: "project",
    number: PROJECT,
    apps: [
      { id: "b" },
      { id: "a" },
      { id: "registered", appAttestConfig: { tokenTtl: ttl(1800) } },
      { id: "empty", appAttestConfig: {} },
    ],
  },
  { id: "other", number: "8", apps: [{ id: "a" }] },
];

let directory: string;
let failures: unknown[];
let damage: JournalDamage[];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "waybill-configs-"));
  failures = [];
  damage = [];
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const file = (): string => join(directory, CHANGES_FILE);
const open = (projects: readonly RegisteredProject[] = PROJECTS): JournaledConfigStore =>
  JournaledConfigStore.open({
    projects,
    directory,
    lookInterval: 0,
    onFailure: (error) => failures.push(error),
    onDamage: (lines) => damage.push(...lines),
  });

const to = (seconds: number | undefined, principal = "somebody"): AppAttestConfigChange => ({
  principal,
  updateMask: "tokenTtl",
  valuesAfter: () => (seconds === undefined ? {} : { tokenTtl: ttl(seconds) }),
});

/** Returns a change as another process would record it. */
function recordOf(more: Partial<ChangeRecord>): ChangeRecord {
  return {
    id: Math.random().toString(36),
    time: "2026-01-31T12:00:00.000Z",
    principal: "another",
    project: PROJECT,
    appId: "a",
    revision: 1,
    updateMask: "*",
    tokenTtl: ttl(5000),
    previousTokenTtl: undefined,
    ...more,
  };
}
const writeRecord = (more: Partial<ChangeRecord>): void =>
  appendFileSync(file(), `${encodeRecord(recordOf(more))}\n`);

describeAppAttestConfigStore("JournaledConfigStore", async () => ({
  open,
  dispose: async () => {},
}));

it("records no change of an app that is not registered", async () => {
  await open().change(PROJECT, "nobody", to(1800));
  expect(readChanges(directory)).toEqual([]);
});

describe("overridden", () => {
  it("returns registered values with the changes that replaced them", async () => {
    const store = open();
    expect(store.overridden()).toEqual([]);
    await store.change(PROJECT, "a", to(7200));
    await store.change(PROJECT, "registered", to(1800));
    expect(open().overridden()).toEqual([]);
    await store.change(PROJECT, "registered", to(undefined, "who@example.com"));
    expect(open().overridden()).toEqual([
      {
        registered: ttl(1800),
        change: expect.objectContaining({
          appId: "registered",
          principal: "who@example.com",
          tokenTtl: undefined,
        }),
      },
    ]);
  });
});

describe("processes that share a journal", () => {
  test.each<[what: string, interfere: () => void, seen: StoredAppAttestConfig]>([
    [
      "another change came first",
      () => writeRecord({ revision: 1, tokenTtl: ttl(5000) }),
      { tokenTtl: ttl(5000), revision: 1 },
    ],
    ["its line follows an unfinished one", () => appendFileSync(file(), '{"id":"x","ti'), {}],
    [
      "its line follows a record that lacks only its line break",
      () => appendFileSync(file(), encodeRecord(recordOf({ revision: 1 }))),
      {},
    ],
  ])("decide a change again when %s", async (_, interfere, seen) => {
    const store = open();
    const current: StoredAppAttestConfig[] = [];
    const changed = await store.change(PROJECT, "a", {
      ...to(0),
      valuesAfter: (config) => {
        current.push(config);
        if (current.length === 1) interfere();
        return { tokenTtl: ttl(6000) };
      },
    });
    expect(current).toEqual([{}, seen]);
    const revision = (seen.revision ?? 0) + 1;
    expect(changed).toEqual({ tokenTtl: ttl(6000), revision });
    expect(await open().find(PROJECT, "a")).toEqual(changed);
    expect(readChanges(directory).map(({ revision }) => revision)).toEqual(
      Array.from({ length: revision }, (_, index) => index + 1),
    );
  });

  it("give up on a change when others always come first", async () => {
    const store = open();
    let revision = 0;
    const change = store.change(PROJECT, "a", {
      ...to(0),
      valuesAfter: () => {
        writeRecord({ revision: ++revision });
        return {};
      },
    });
    await expect(change).rejects.toBeInstanceOf(StoreUnavailableError);
  });

  it("lose no change and give no revision twice", async () => {
    const stores = [open(), open(), open()];
    const changes = Array.from({ length: 30 }, (_, index) => 1800 + index);
    const answers = await Promise.all(
      changes.map((seconds, index) => stores[index % stores.length]?.change(PROJECT, "a", to(seconds))),
    );
    const history = readChanges(directory);
    expect(history.map(({ revision }) => revision)).toEqual(changes.map((_, index) => index + 1));
    expect(answers.map((answer) => answer?.revision).sort((a, b) => (a ?? 0) - (b ?? 0))).toEqual(
      history.map(({ revision }) => revision),
    );
    for (const answer of answers) {
      expect(history[(answer?.revision ?? 0) - 1]?.tokenTtl).toEqual(answer?.tokenTtl);
    }
  });
});

describe("the journal of configuration changes", () => {
  it("records who changed what when, and the value before", async () => {
    const before = Date.now();
    await open().change(PROJECT, "registered", to(7200, "who@example.com"));
    const [change, ...more] = readChanges(directory);
    expect(more).toEqual([]);
    expect(change).toMatchObject({
      principal: "who@example.com",
      project: PROJECT,
      appId: "registered",
      revision: 1,
      updateMask: "tokenTtl",
      tokenTtl: ttl(7200),
      previousTokenTtl: ttl(1800),
    });
    const time = Date.parse(change?.time ?? "");
    expect(time >= before && time <= Date.now()).toBe(true);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  it("accepts fields of later versions, and skips lines that are not changes", async () => {
    const line = JSON.parse(encodeRecord(recordOf({})));
    for (const text of [
      "",
      "{}",
      "[]",
      "null",
      "garbage",
      JSON.stringify({ ...line, revision: "1" }),
      JSON.stringify({ ...line, tokenTtl: "soon" }),
      JSON.stringify({ ...line, more: { to: "come" } }),
    ]) {
      appendFileSync(file(), `${text}\n`);
    }
    expect(await open().find(PROJECT, "a")).toEqual({ tokenTtl: ttl(5000), revision: 1 });
  });

  it("keeps later changes when a line before them is damaged", async () => {
    const store = open();
    for (const seconds of [2000, 2001, 2002]) await store.change(PROJECT, "a", to(seconds));
    writeFileSync(file(), readFileSync(file(), "utf8").replace("2001s", "20X1s"));
    expect(await open().find(PROJECT, "a")).toEqual({ tokenTtl: ttl(2002), revision: 3 });
  });

  test.each<[what: string, more: Partial<ChangeRecord> | ((line: string) => string), problem: RegExp]>([
    ["the greatest safe integer as revision", { revision: Number.MAX_SAFE_INTEGER }, /revision/],
    [
      "a revision beyond the safe integers",
      (line) => line.replace('"revision":2', '"revision":9007199254740993'),
      /revision/,
    ],
    ["a revision of a million", { revision: 1_000_000 }, /revision/],
    ["a fractional revision", (line) => line.replace('"revision":2', '"revision":2.5'), /revision/],
    ["a revision of 0", (line) => line.replace('"revision":2', '"revision":0'), /revision/],
    ["a negative duration", { revision: 2, tokenTtl: ttl(-5) }, /^is no change: tokenTtl: /],
    [
      "a duration longer than the limit",
      { revision: 2, tokenTtl: ttl(10 ** 9) },
      /^is no change: tokenTtl: /,
    ],
    [
      "a malformed duration",
      (line) => line.replace("5000s", "5000"),
      /^is no change: tokenTtl: is not a duration/,
    ],
    [
      "an update mask of a megabyte",
      { revision: 2, updateMask: "tokenTtl,".repeat(120_000) },
      /it has 1080\d+ characters/,
    ],
    ["no principal", (line) => line.replace('"principal"', '"who"'), /^is no change: principal: /],
    ["malformed JSON", (line) => line.slice(0, -1), /^is no change: it is not JSON$/],
  ])(
    "reports a last line with %s as damage, and changes continue from the state before it",
    async (_, more, problem) => {
      await open().change(PROJECT, "a", to(2000));
      if (typeof more === "object") writeRecord(more);
      else appendFileSync(file(), `${more(encodeRecord(recordOf({ revision: 2 })))}\n`);
      const store = open();
      expect(damage).toEqual([{ lineNumber: 2, problem: expect.stringMatching(problem) }]);
      expect(await store.find(PROJECT, "a")).toEqual({ tokenTtl: ttl(2000), revision: 1 });
      expect(await store.change(PROJECT, "a", to(2001))).toEqual({ tokenTtl: ttl(2001), revision: 2 });
      expect(await open().find(PROJECT, "a")).toEqual({ tokenTtl: ttl(2001), revision: 2 });
      expect(readChanges(directory).map(({ revision }) => revision)).toEqual([1, 2]);
    },
  );

  it("accepts changes after a revision that skips others but fits the size of the file", async () => {
    await open().change(PROJECT, "a", to(2000));
    writeRecord({ revision: 300 });
    const store = open();
    expect(damage).toEqual([{ lineNumber: 2, problem: "is revision 300 after 1" }]);
    expect(await store.change(PROJECT, "a", to(2001))).toEqual({ tokenTtl: ttl(2001), revision: 301 });
    expect(await open().find(PROJECT, "a")).toEqual({ tokenTtl: ttl(2001), revision: 301 });
  });

  it("does not count concurrent changes of the same state as damage", async () => {
    await open().change(PROJECT, "a", to(2000));
    writeRecord({ revision: 1 });
    writeRecord({ revision: 2 });
    writeRecord({ revision: 1 });
    open();
    expect(damage).toEqual([]);
  });

  it("stays untouched by a change too long to be read back", async () => {
    const change = { ...to(2000), updateMask: "x".repeat(20_000) };
    await expect(open().change(PROJECT, "a", change)).rejects.toThrow("longer than");
    expect(existsSync(file())).toBe(false);
  });

  it("keeps the store from opening, with a one-line error, if it cannot be read", () => {
    const readOnly = mkdtempSync(join(directory, "x"));
    directory = join(readOnly, "file");
    writeFileSync(directory, "");
    expect(open).toThrow(StoreOpenError);
    expect(open).toThrow(
      /^the changes of configurations in .+app-attest-configs\.ndjson cannot be read: [^\n]+$/,
    );
    directory = readOnly;
  });

  it("refuses changes once its file is gone; what was read stays in effect", async () => {
    const store = open();
    await store.change(PROJECT, "a", to(1800));
    rmSync(file());
    await expect(store.change(PROJECT, "a", to(1900))).rejects.toBeInstanceOf(StoreUnavailableError);
    expect(await store.find(PROJECT, "a")).toEqual({ tokenTtl: ttl(1800), revision: 1 });
    expect(failures.map(String)).toEqual([
      expect.stringContaining("was removed, replaced or cut while in use"),
    ]);
  });

  it.skipIf(process.platform !== "linux")("refuses changes when the disk is full", async () => {
    const store = open();
    symlinkSync("/dev/full", file());
    const refused = await store.change(PROJECT, "a", to(1800)).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StoreUnavailableError);
    expect(String(refused)).toContain("ENOSPC");
    expect(await store.find(PROJECT, "a")).toEqual({});
  });
});

type Step =
  | { readonly do: "change"; readonly by: number; readonly app: string; readonly seconds: number | undefined }
  | { readonly do: "race"; readonly app: string; readonly seconds: readonly number[] }
  | { readonly do: "tear"; readonly app: string; readonly part: number }
  | { readonly do: "restart"; readonly by: number };

const app = fc.constantFrom("a", "b", "registered");
const seconds = fc.integer({ min: 1800, max: 604_800 });
const by = fc.integer({ min: 0, max: 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("change"),
      by,
      app,
      seconds: fc.option(seconds, { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("race"), app, seconds: fc.tuple(seconds, seconds) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("tear"), app, part: fc.double({ min: 0, max: 1, noNaN: true }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restart"), by }) },
) as fc.Arbitrary<Step>;

describe("acknowledged changes", () => {
  it("survive any mix of changes by two processes, unfinished lines and restarts", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        directory = mkdtempSync(join(tmpdir(), "waybill-configs-"));
        const stores = [open(), open()];
        const model = new Map<string, StoredAppAttestConfig>([["registered", { tokenTtl: ttl(1800) }]]);
        const modelOf = (appId: string): StoredAppAttestConfig => model.get(appId) ?? {};
        for (const step of steps) {
          if (step.do === "restart") stores[step.by] = open();
          else if (step.do === "tear") {
            // Simulates a process killed while it wrote the next change: any part of the line but the line
            // break.
            const line = encodeRecord(
              recordOf({ appId: step.app, revision: (modelOf(step.app).revision ?? 0) + 1 }),
            );
            appendFileSync(file(), line.slice(0, Math.round(step.part * line.length)));
          } else {
            const wanted = step.do === "race" ? step.seconds : [step.seconds];
            const answers = await Promise.all(
              wanted.map((each, index) => {
                const store = stores[step.do === "race" ? index : step.by];
                return store?.change(PROJECT, step.app, to(each));
              }),
            );
            const revisions = answers.map((answer) => answer?.revision ?? 0);
            const before = modelOf(step.app).revision ?? 0;
            expect(revisions.toSorted((a, b) => a - b)).toEqual(wanted.map((_, index) => before + 1 + index));
            const last = answers[revisions.indexOf(Math.max(...revisions))];
            if (last !== undefined) model.set(step.app, last);
          }
        }
        for (const store of [...stores, open()]) {
          for (const id of ["a", "b", "registered"])
            expect(await store.find(PROJECT, id)).toEqual(modelOf(id));
        }
        rmSync(directory, { recursive: true });
      }),
      { numRuns: 60 },
    );
  });

  it("survive up to where the journal is cut, and later changes continue from there", async () => {
    const changes = fc.array(fc.tuple(app, fc.option(seconds, { nil: undefined })), {
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(changes, fc.double({ min: 0, max: 1, noNaN: true }), async (changes, part) => {
        directory = mkdtempSync(join(tmpdir(), "waybill-configs-"));
        const store = open();
        const acknowledged: { size: number; app: string; config: StoredAppAttestConfig }[] = [];
        for (const [app, seconds] of changes) {
          const config = (await store.change(PROJECT, app, to(seconds))) ?? {};
          acknowledged.push({ size: statSync(file()).size, app, config });
        }
        const cut = Math.round(part * statSync(file()).size);
        truncateSync(file(), cut);
        const expected = new Map<string, StoredAppAttestConfig>([["registered", { tokenTtl: ttl(1800) }]]);
        for (const { size, app, config } of acknowledged) if (size <= cut) expected.set(app, config);
        const after = open();
        for (const id of ["a", "b", "registered"]) {
          expect(await after.find(PROJECT, id)).toEqual(expected.get(id) ?? {});
        }
        const changed = await after.change(PROJECT, "a", to(1800));
        expect(changed?.revision).toBe((expected.get("a")?.revision ?? 0) + 1);
        expect(await open().find(PROJECT, "a")).toEqual(changed);
        rmSync(directory, { recursive: true });
      }),
      { numRuns: 60 },
    );
  });
});

it("rejects a change that waits too long for those before it, and makes it later", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const store = open();
  const first = store.change(PROJECT, "a", to(2000));
  const refusal = expect(store.change(PROJECT, "a", to(3000))).rejects.toThrow(WaitTimeoutError);
  vi.advanceTimersByTime(MAX_WAIT_MS);
  await refusal;
  expect((await first)?.tokenTtl).toEqual(ttl(2000));
  expect((await store.change(PROJECT, "a", to(3000)))?.tokenTtl).toEqual(ttl(3000));
});
