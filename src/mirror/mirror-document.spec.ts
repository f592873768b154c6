import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { EmbeddedRecords } from "../control/embedded/embedded-records.js";
import { systemClock } from "../model/clock.js";
import { FencedError } from "../model/store-error.js";
import { MirrorDocument } from "./mirror-document.js";
import { NEW_MIRROR, type ProjectMirror } from "./mirror-state.js";

let directory: string;
let records: EmbeddedRecords;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "waybill-mirror-"));
  records = await EmbeddedRecords.open(directory, systemClock);
});
afterEach(async () => {
  await records.close();
  await rm(directory, { recursive: true });
});

const mirrorOf = (...apps: readonly string[]): ProjectMirror => ({
  ...NEW_MIRROR,
  apps: new Map(apps.map((app) => [app, { since: 0, days: [] }])),
});

it("MirrorDocument accepts repeated writes of the same process, even without a change", async () => {
  const document = new MirrorDocument(records, "1");
  await document.read();
  for (const mirror of [mirrorOf("a"), mirrorOf("a"), mirrorOf("b", "a"), mirrorOf("b", "a")]) {
    await document.write(mirror);
  }
  expect([...(await document.read()).apps.keys()]).toEqual(["a", "b"]);
});

it("MirrorDocument rejects a write that would overwrite another process's change", async () => {
  const [slept, next] = [new MirrorDocument(records, "1"), new MirrorDocument(records, "1")];
  await slept.read();
  await next.read();
  await next.write(mirrorOf("a"));
  await expect(slept.write(mirrorOf("b"))).rejects.toBeInstanceOf(FencedError);
  expect(await slept.read()).toEqual(mirrorOf("a"));
  await slept.write(mirrorOf("a", "b"));
  expect(await next.read()).toEqual(mirrorOf("a", "b"));
});
