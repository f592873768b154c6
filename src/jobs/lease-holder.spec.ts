import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LeaseHolder } from "./lease-holder.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

it("LeaseHolder releases its lease after its last extension, even if that is slow", async () => {
  const calls: string[] = [];
  const durations = [0, 9_000];
  const holder = new LeaseHolder({
    acquire: async () => {
      await pause(durations.shift() ?? 0);
      calls.push("acquire");
      return { fence: 1 };
    },
    release: async () => void calls.push("release"),
  });
  const done = holder.under("work", () => pause(8_000));
  await vi.advanceTimersByTimeAsync(60_000);
  await done;
  expect(calls).toEqual(["acquire", "acquire", "release"]);
});
