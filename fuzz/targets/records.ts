import { deepStrictEqual, ok } from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EmbeddedRecords } from "../../src/control/embedded/embedded-records.js";
import { RECORDS_FILE } from "../../src/control/embedded/records-file.js";
import type { RecordKind } from "../../src/control/records.js";
import { changesOf } from "../../src/control/testing/changes-of.js";
import { systemClock } from "../../src/model/clock.js";
import { StoreOpenError, StoreUnavailableError } from "../../src/model/store-error.js";
import type { FuzzTarget } from "../engine/fuzz-target.js";

const KIND: RecordKind = { name: "fuzz", isFollowed: true, isAudited: true };
/** Input bytes that choose the damaged place. */
const PLACE_BYTES = 3;

let directory: string;
let whole: Buffer;

/** A damaged records file causes a clear error or no error. It never ends the process. */
export const records: FuzzTarget = {
  name: "records",
  boundedInputs: 40,
  seeds: ["SQLite format 3", "\x00\x00\x10\xff\xff\xff\xff", "\x00\x10\x00\x0d\x00\x00", "\x01\x00\x00{}"],
  words: ["\0", "\xff", "\x0d", "\x05", '{"', '"}', "null"],
  async start() {
    directory = mkdtempSync(join(tmpdir(), "waybill-fuzz-"));
    const opened = await EmbeddedRecords.open(directory, systemClock);
    for (let i = 0; i < 200; i++)
      await opened.change([{ kind: KIND, key: `key-${i}`, value: "x".repeat(100) }]);
    await opened.close();
    whole = readFileSync(join(directory, RECORDS_FILE));
  },
  async stop() {
    rmSync(directory, { recursive: true });
  },
  async run(input) {
    const damaged = Buffer.from(whole);
    const place = input.subarray(0, PLACE_BYTES);
    if (input.length > PLACE_BYTES)
      input.copy(damaged, place.readUIntBE(0, place.length) % damaged.length, PLACE_BYTES);
    for (const suffix of ["-wal", "-shm"]) rmSync(join(directory, RECORDS_FILE + suffix), { force: true });
    writeFileSync(join(directory, RECORDS_FILE), damaged);
    const opened = await EmbeddedRecords.open(directory, systemClock).catch(clear);
    if (opened === undefined) return;
    try {
      for (const problem of opened.check()) ok(/^[^\n]+$/.test(problem), problem);
      await opened.list(KIND, { limit: 1_000 }).catch(clear);
      await opened.history({ kinds: [KIND], limit: 1_000 }).catch(clear);
      await changesOf(opened, KIND, 0).catch(clear);
      const revision = await opened.change([{ kind: KIND, key: "new", value: "new" }]).catch(clear);
      if (revision === undefined) return;
      const found = await opened.get(KIND, "new").catch(clear);
      if (found !== undefined) deepStrictEqual(found, { key: "new", value: "new", revision });
    } finally {
      await opened.close();
    }
  },
};

function clear(error: unknown): undefined {
  ok(error instanceof StoreOpenError || error instanceof StoreUnavailableError, String(error));
  ok(/^[^\n]+$/.test(error.message), `an unclear problem: ${error.message}`);
}
