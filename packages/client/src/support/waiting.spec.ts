import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { abortable, backoffMs, pause } from "./waiting.js";

const never = new Promise<never>(() => {});

it("abortable settles like the work, and removes its abort listener", async () => {
  const { signal } = new AbortController();
  expect(await abortable(Promise.resolve(42), signal)).toBe(42);
  await expect(abortable(Promise.reject(new Error("own")), signal)).rejects.toThrow("own");
  expect(await abortable(Promise.resolve(42), undefined)).toBe(42);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

it("abortable rejects with the abort reason as soon as the signal aborts, even if it had aborted before", async () => {
  const controller = new AbortController();
  const waiting = [abortable(never, controller.signal), pause(1e9, controller.signal)];
  controller.abort("gone");
  for (const promise of [...waiting, abortable(Promise.resolve(42), controller.signal)])
    await expect(promise).rejects.toBe("gone");
});

it.each([
  [1, 1, 1_000],
  [1, 0, 500],
  [3, 1, 4_000],
  [50, 1, 60_000],
])("backoffMs after %i failures, with the random number %f, returns %i ms", (failures, random, expected) => {
  expect(backoffMs(failures, { firstMs: 1_000, maxMs: 60_000 }, random)).toBe(expected);
});
