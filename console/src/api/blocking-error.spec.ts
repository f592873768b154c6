import { expect, test } from "vitest";
import type { CanonicalCode } from "../../../src/client/canonical-code.js";
import { WaybillError } from "../../../src/client/waybill-error.js";
import { blockingError } from "./blocking-error.js";

const failed = (code: CanonicalCode): Error => new WaybillError({ code, message: "no" });

test.each<[query: string, data: unknown, error: Error | null, blocks: boolean]>([
  ["passes loaded data", [], null, false],
  ["passes a query that is loading", undefined, null, false],
  ["blocks a query that has never loaded", undefined, failed("UNAVAILABLE"), true],
  ["passes loaded data that cannot be refreshed now", [], failed("UNAVAILABLE"), false],
  ["passes loaded data that the service fails to refresh", [], failed("INTERNAL"), false],
  ["passes loaded data that needs another token to be refreshed", [], failed("UNAUTHENTICATED"), false],
  ["blocks data that the viewer may no longer see", [], failed("PERMISSION_DENIED"), true],
  ["blocks data that no longer exists", [], failed("NOT_FOUND"), true],
])("blockingError %s", (_query, data, error, blocks) => {
  expect(blockingError({ data, error }) === error && error !== null).toBe(blocks);
});
