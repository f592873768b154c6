import type { CanonicalCode } from "@waybill/client";
import { WaybillError } from "@waybill/client";
import { expect, test } from "vitest";
import { blockingError, type ReadState } from "./blocking-error.js";

const failed = (code: CanonicalCode): Error => new WaybillError({ code, message: "no" });

const IDLE = { error: null, failureReason: null, fetchStatus: "idle" } as const;
/** Another attempt is under way after a failure. */
const again = (code: CanonicalCode): Pick<ReadState, "error" | "failureReason" | "fetchStatus"> => ({
  error: null,
  failureReason: failed(code),
  fetchStatus: "fetching",
});
const ended = (code: CanonicalCode): Pick<ReadState, "error" | "failureReason" | "fetchStatus"> => ({
  ...IDLE,
  error: failed(code),
  failureReason: failed(code),
});

test.each<[query: string, state: ReadState, blocks: boolean]>([
  ["passes loaded data", { ...IDLE, data: [] }, false],
  ["passes a query that is loading", { ...IDLE, data: undefined, fetchStatus: "fetching" }, false],
  ["blocks a query that has never loaded", { ...ended("INTERNAL"), data: undefined }, true],
  ["blocks it while it is tried again", { ...again("UNAVAILABLE"), data: undefined }, true],
  [
    "passes it while it waits for a connection",
    { ...again("UNAVAILABLE"), data: undefined, fetchStatus: "paused" },
    false,
  ],
  ["passes loaded data that cannot be refreshed now", { ...again("UNAVAILABLE"), data: [] }, false],
  ["passes loaded data that the service fails to refresh", { ...ended("INTERNAL"), data: [] }, false],
  [
    "passes loaded data that needs another token to be refreshed",
    { ...ended("UNAUTHENTICATED"), data: [] },
    false,
  ],
  ["blocks data that the viewer may no longer see", { ...ended("PERMISSION_DENIED"), data: [] }, true],
  ["blocks data that no longer exists", { ...ended("NOT_FOUND"), data: [] }, true],
])("blockingError %s", (_query, state, blocks) => {
  expect(blockingError(state)).toBe(blocks ? (state.error ?? state.failureReason) : undefined);
});
