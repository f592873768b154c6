import { onlineManager } from "@tanstack/react-query";
import { type CanonicalCode, WaybillError } from "@waybill/client";
import { afterEach, expect, test } from "vitest";
import { blockingError, makeQueryClient, type ReadState } from "./read-state.js";

const failed = (code: CanonicalCode): Error => new WaybillError({ code, message: "no" });

const IDLE = { error: null, failureReason: null, fetchStatus: "idle" } as const;
/** A retry is running after an error. */
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
  [
    "blocks a query that has never loaded, during a retry",
    { ...again("UNAVAILABLE"), data: undefined },
    true,
  ],
  [
    "passes a query that waits for a connection",
    { ...again("UNAVAILABLE"), data: undefined, fetchStatus: "paused" },
    false,
  ],
  ["passes loaded data while a refetch is retried", { ...again("UNAVAILABLE"), data: [] }, false],
  ["passes loaded data after a refetch failed", { ...ended("INTERNAL"), data: [] }, false],
  ["passes loaded data after the token expired", { ...ended("UNAUTHENTICATED"), data: [] }, false],
  ["blocks loaded data after the viewer lost access", { ...ended("PERMISSION_DENIED"), data: [] }, true],
  ["blocks loaded data that no longer exists", { ...ended("NOT_FOUND"), data: [] }, true],
])("blockingError %s", (_query, state, blocks) => {
  expect(blockingError(state)).toBe(blocks ? (state.error ?? state.failureReason) : undefined);
});

afterEach(() => onlineManager.setOnline(true));

/** Runs a query that fails five times. @returns the number of attempts */
async function attempts(error: Error): Promise<number> {
  let made = 0;
  const read = async (): Promise<string> => {
    made += 1;
    if (made > 5) return "read";
    throw error;
  };
  await makeQueryClient()
    .fetchQuery({ queryKey: [], queryFn: read, retryDelay: 0 })
    .catch(() => undefined);
  return made;
}

test.each([
  ["a server that cannot be reached", failed("UNAVAILABLE"), 6],
  ["a gateway timeout", failed("DEADLINE_EXCEEDED"), 6],
  ["too many requests", failed("RESOURCE_EXHAUSTED"), 6],
  ["denied access", failed("PERMISSION_DENIED"), 1],
  ["a server error", failed("INTERNAL"), 1],
  ["an unexpected error", new TypeError("x is undefined"), 3],
])("the query client makes the right number of attempts after %s", async (_, error, made) => {
  expect(await attempts(error)).toBe(made);
});

test("pauses between attempts grow up to ten seconds, or to the server's Retry-After", () => {
  const { retryDelay } = makeQueryClient().getDefaultOptions().queries ?? {};
  if (typeof retryDelay !== "function") throw new Error("retryDelay is not a function");
  const pauses = [0, 1, 2, 3, 4, 5, 50].map((failures) => retryDelay(failures, failed("UNAVAILABLE")));
  expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  const asked = new WaybillError({ code: "RESOURCE_EXHAUSTED", message: "no", retryAfterMs: 30_000 });
  expect(retryDelay(0, asked)).toBe(30_000);
});

test("a query that fails while the page is offline is retried when it is online", async () => {
  const queryClient = makeQueryClient();
  // Listens for connection changes, like `QueryClientProvider`.
  queryClient.mount();
  let made = 0;
  const read = async (): Promise<string> => {
    made += 1;
    if (made > 1) return "read";
    onlineManager.setOnline(false);
    throw failed("UNAVAILABLE");
  };
  const reading = queryClient.fetchQuery({ queryKey: [], queryFn: read, retryDelay: 0 });
  await expect.poll(() => queryClient.getQueryState([])?.fetchStatus).toBe("paused");
  expect(made).toBe(1);
  onlineManager.setOnline(true);
  expect(await reading).toBe("read");
  queryClient.unmount();
});
