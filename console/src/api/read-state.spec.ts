import { onlineManager } from "@tanstack/react-query";
import { type CanonicalCode, WaybillError } from "@waybill/client";
import { afterEach, expect, test } from "vitest";
import { blockingError, makeQueryClient, type ReadState } from "./read-state.js";

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

afterEach(() => onlineManager.setOnline(true));

/** Reads something that fails five times. @returns the number of attempts. */
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
  ["a gateway that waited in vain", failed("DEADLINE_EXCEEDED"), 6],
  ["too many requests", failed("RESOURCE_EXHAUSTED"), 6],
  ["a refusal", failed("PERMISSION_DENIED"), 1],
  ["a fault of the server", failed("INTERNAL"), 1],
  ["a failure for an unknown reason", new TypeError("x is undefined"), 3],
])("the cache makes the right number of attempts after %s", async (_, error, made) => {
  expect(await attempts(error)).toBe(made);
});

test("the pauses between attempts grow up to ten seconds, or to what the server asks for", () => {
  const { retryDelay } = makeQueryClient().getDefaultOptions().queries ?? {};
  if (typeof retryDelay !== "function") throw new Error("there is no rule for pauses");
  const pauses = [0, 1, 2, 3, 4, 5, 50].map((failures) => retryDelay(failures, failed("UNAVAILABLE")));
  expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  const asked = new WaybillError({ code: "RESOURCE_EXHAUSTED", message: "no", retryAfterMs: 30_000 });
  expect(retryDelay(0, asked)).toBe(30_000);
});

test("what fails while the page is offline is read again when it is online", async () => {
  const queryClient = makeQueryClient();
  // Listens for changes of the connection, as the provider does on the page.
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
