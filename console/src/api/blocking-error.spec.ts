import { expect, test } from "vitest";
import type { CanonicalCode } from "../../../src/client/canonical-code.js";
import { WaybillError } from "../../../src/client/waybill-error.js";
import { blockingError } from "./blocking-error.js";

const failed = (code: CanonicalCode): Error => new WaybillError({ code, message: "no" });

test.each<[what: string, data: unknown, error: Error | null, blocks: boolean]>([
  ["what has come", [], null, false],
  ["what is on its way", undefined, null, false],
  ["what never came", undefined, failed("UNAVAILABLE"), true],
  ["what cannot be read again just now", [], failed("UNAVAILABLE"), false],
  ["what the service fails to read again", [], failed("INTERNAL"), false],
  ["what waits for another token", [], failed("UNAUTHENTICATED"), false],
  ["what the viewer may not see any more", [], failed("PERMISSION_DENIED"), true],
  ["what is gone", [], failed("NOT_FOUND"), true],
])("blockingError of %s", (_what, data, error, blocks) => {
  expect(blockingError({ data, error }) === error && error !== null).toBe(blocks);
});
