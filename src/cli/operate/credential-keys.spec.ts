import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testDirectory } from "../../../test/support/test-directory.js";
import { testRecords } from "../../control/testing/test-records.js";
import { listCredentialKeys } from "../../integrity/custom-tokens/credential-keys.js";
import { runInProcess } from "../testing/run-in-process.js";

it("waybill credentials create-key keeps no key if it cannot write the file", async () => {
  const directory = await testDirectory();
  const out = join(directory, "key.json");
  await writeFile(out, "");
  const flags = ["--principal", "attester@example.com", "--project", "shop", "--data-dir", directory];
  const { stderr } = await runInProcess(["credentials", "create-key", ...flags, "--out", out]);
  expect(stderr).toBe(`waybill: cannot write ${out}: the file exists; --force replaces it\n`);
  expect(await listCredentialKeys(await testRecords(directory))).toEqual([]);
});
