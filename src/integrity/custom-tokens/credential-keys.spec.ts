import { expect, it } from "vitest";
import { testDirectory } from "../../../test/support/test-directory.js";
import { RECORD_KINDS } from "../../control/records.js";
import { testRecords } from "../../control/testing/test-records.js";
import { listCredentialKeys, removeCredentialKey } from "./credential-keys.js";

it("lists and removes each of more keys than one read returns", async () => {
  const records = await testRecords(await testDirectory());
  const kids = Array.from({ length: 1_001 }, (_, index) => `k${String(index).padStart(4, "0")}`);
  const kind = RECORD_KINDS.credentialKey;
  const expireTime = 4_000_000_000_000;
  const value = { principal: "attester@example.com", publicJwk: {} };
  await records.change(kids.map((kid) => ({ kind, key: `p/${kid}`, value, expireTime })));

  expect((await listCredentialKeys(records)).map(({ kid }) => kid)).toEqual(kids);
  expect(await removeCredentialKey(records, "k1000")).toBe(true);
  expect(await removeCredentialKey(records, "k1000")).toBe(false);
  expect(await listCredentialKeys(records)).toHaveLength(1_000);
});
