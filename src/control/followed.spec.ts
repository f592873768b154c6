import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Followed, MAX_STALENESS_MS } from "./followed.js";

let looks: { end(): void; fail(): void }[];
let followed: Followed;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  looks = [];
  followed = new Followed(
    () =>
      new Promise((resolve, reject) => {
        looks.push({ end: resolve, fail: () => reject(new Error("gone")) });
      }),
  );
});
afterEach(() => {
  vi.useRealTimers();
});

/** Starts to use the copy. Shows whether the copy has become available. */
function use(): { readonly done: Promise<void>; hasResponded(): Promise<boolean> } {
  let hasResponded = false;
  const done = Promise.resolve(followed.upToDate()).then(() => {
    hasResponded = true;
  });
  done.catch(() => {});
  const settled = async () => {
    await new Promise(setImmediate);
    return hasResponded;
  };
  return { done, hasResponded: settled };
}

async function look(): Promise<void> {
  const { done } = use();
  looks.at(-1)?.end();
  await done;
}

it("Followed shares one read among all uses that wait for it", async () => {
  const uses = [use(), use(), use()];
  expect(await uses[0]?.hasResponded()).toBe(false);
  looks[0]?.end();
  await Promise.all(uses.map(({ done }) => done));
  expect(looks).toHaveLength(1);
});

it("Followed uses a recent copy without waiting, and an older copy after a new read", async () => {
  await look();
  vi.advanceTimersByTime(MAX_STALENESS_MS / 2);
  expect(await use().hasResponded()).toBe(true);
  expect(looks).toHaveLength(1);
  vi.advanceTimersByTime(MAX_STALENESS_MS / 2 + 1);
  const late = use();
  expect(await late.hasResponded()).toBe(false);
  looks[1]?.end();
  await late.done;
});

it("Followed reads ahead without delaying or failing uses", async () => {
  await look();
  vi.advanceTimersByTime(MAX_STALENESS_MS - 1);
  expect(await use().hasResponded()).toBe(true);
  expect(looks).toHaveLength(2);
  looks[1]?.fail();
  expect(await use().hasResponded()).toBe(true);
});

it("Followed waits for a read that began after a reported change", async () => {
  await look();
  vi.advanceTimersByTime(MAX_STALENESS_MS - 1);
  await use().done;
  vi.advanceTimersByTime(1);
  followed.changed();
  const late = use();
  looks[1]?.end();
  expect(await late.hasResponded()).toBe(false);
  looks[2]?.end();
  await late.done;
});

it("Followed measures the copy's age from when a read starts", async () => {
  const first = use();
  vi.advanceTimersByTime(MAX_STALENESS_MS + 1);
  looks[0]?.end();
  await first.done;
  expect(await use().hasResponded()).toBe(false);
});

it("Followed fails a use if the necessary read fails, and reads again for the next use", async () => {
  const first = use();
  looks[0]?.fail();
  await expect(first.done).rejects.toThrow("gone");
  await look();
  expect(looks).toHaveLength(2);
});

it("Followed refreshes its copy without making other uses wait", async () => {
  await look();
  vi.advanceTimersByTime(1);
  const refreshed = followed.refresh();
  expect(followed.upToDate()).toBeUndefined();
  expect(await use().hasResponded()).toBe(true);
  looks[1]?.end();
  await refreshed;
  expect(looks).toHaveLength(2);
});
