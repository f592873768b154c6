import { beforeEach, expect, it } from "vitest";
import { testDirectory } from "../../test/support/test-directory.js";
import type { EmbeddedRecords } from "../control/embedded/embedded-records.js";
import { testRecords } from "../control/testing/test-records.js";
import { FencedError } from "../model/store-error.js";
import { MirrorDocument } from "./mirror-document.js";
import { NEW_MIRROR, type ProjectMirror } from "./mirror-state.js";

let records: EmbeddedRecords;
beforeEach(async () => {
  records = await testRecords(await testDirectory());
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
