import { onlineManager } from "@tanstack/react-query";
import { afterEach, expect, test } from "vitest";
import type { CanonicalCode } from "../../../src/client/canonical-code.js";
import { WaybillError } from "../../../src/client/waybill-error.js";
import { makeQueryClient } from "./query-client.js";

const failed = (code: CanonicalCode): Error => new WaybillError({ code, message: "no" });

afterEach(() => onlineManager.setOnline(true));

/** Reads something that always fails. @returns the number of attempts. */
async function attempts(error: Error): Promise<number> {
  let made = 0;
  const read = (): Promise<never> => {
    made += 1;
    return Promise.reject(error);
  };
  const reading = makeQueryClient().fetchQuery({ queryKey: [], queryFn: read, retryDelay: 0 });
  await expect(reading).rejects.toBe(error);
  return made;
}

test.each([
  ["an error of the client, which has retried it", failed("UNAVAILABLE"), 1],
  ["an error of the client that lasts", failed("PERMISSION_DENIED"), 1],
  ["a request without the client", new TypeError("Failed to fetch"), 3],
])("the cache makes the right number of attempts after %s", async (_, error, made) => {
  expect(await attempts(error)).toBe(made);
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
