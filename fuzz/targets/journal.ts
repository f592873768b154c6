import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHANGES_FILE } from "../../src/control/file/change-history.js";
import { JournaledConfigStore } from "../../src/control/file/journaled-config-store.js";
import { readChanges } from "../../src/control/file/read-journal.js";
import { StoreUnavailableError } from "../../src/model/store-error.js";
import type { FuzzTarget } from "../engine/fuzz-target.js";
import { JOURNAL_LINES, JOURNAL_WORDS } from "./journal-line.js";

const PROJECT = "123456789012";
const APP = "1:123456789012:ios:0a1b2c3d4e5f";
const TTL = { seconds: 7200n, nanos: 0 };

let directory: string;

/** A store opens with any journal, and the next one to open sees every acknowledged change. */
export const journal: FuzzTarget = {
  name: "journal",
  boundedInputs: 40,
  seeds: [JOURNAL_LINES.join("\n"), `${JOURNAL_LINES[0]}\n${JOURNAL_LINES[1]}`, "\xff\n"],
  words: JOURNAL_WORDS,
  async start() {
    directory = mkdtempSync(join(tmpdir(), "waybill-fuzz-"));
  },
  async stop() {
    rmSync(directory, { recursive: true });
  },
  async run(input) {
    writeFileSync(join(directory, CHANGES_FILE), input);
    const store = open();
    const before = await store.find(PROJECT, APP);
    deepStrictEqual(await open().find(PROJECT, APP), before);
    for (const { revision } of readChanges(directory)) ok(Number.isSafeInteger(revision));
    const change = { principal: "p", updateMask: "*", valuesAfter: () => ({ tokenTtl: TTL }) };
    const changed = await store.change(PROJECT, APP, change);
    deepStrictEqual(changed, { tokenTtl: TTL, revision: (before?.revision ?? 0) + 1 });
    deepStrictEqual(await open().find(PROJECT, APP), changed, "an acknowledged change is lost");
    strictEqual(await store.find(PROJECT, "another"), undefined);
  },
};

function open(): JournaledConfigStore {
  return JournaledConfigStore.open({
    projects: [{ id: "p", number: PROJECT, apps: [{ id: APP }] }],
    directory,
    lookInterval: 0,
    onDamage: (damage) => {
      for (const { lineNumber, problem } of damage) ok(lineNumber >= 1 && problem !== "");
    },
    onFailure: (error) => {
      throw error instanceof StoreUnavailableError ? error : new Error("cannot be read", { cause: error });
    },
  });
}
