import { setImmediate as nextTick } from "node:timers/promises";
import { beforeEach, expect, it } from "vitest";
import { ProcessLeases } from "../../../control/embedded/process-leases.js";
import { systemClock } from "../../../model/clock.js";
import { StoreUnavailableError } from "../../../model/store-error.js";
import { InsertSlots } from "./insert-slots.js";

let now: number;
let leases: ProcessLeases;
beforeEach(() => {
  now = 0;
  leases = new ProcessLeases({ ...systemClock, monotonic: () => now });
});

const slotsIn = (database: string) => new InsertSlots(leases, database);

it("serializes the inserts of several processes", async () => {
  let running = 0;
  let most = 0;
  const stored: number[] = [];
  const insertAll = async (process: number): Promise<void> => {
    const slots = slotsIn("waybill");
    for (let i = 0; i < 3; i++) {
      await slots.use(async () => {
        most = Math.max(most, ++running);
        await nextTick();
        running--;
        stored.push(process);
      });
    }
  };
  await Promise.all([1, 2, 3].map(insertAll));
  expect(most).toBe(1);
  expect(stored.toSorted()).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3]);
});

it("releases the slot after a failed insert, and reports its error", async () => {
  const failing = slotsIn("waybill").use(() => Promise.reject(new Error("full")));
  await expect(failing).rejects.toThrow("full");
  expect(await slotsIn("waybill").use(async () => "stored")).toBe("stored");
});

it("does not wait for a process that is gone, or for inserts into another database", async () => {
  const isGone = slotsIn("waybill").use(() => new Promise(() => {}));
  isGone.catch(() => {});
  expect(await slotsIn("other").use(async () => "elsewhere")).toBe("elsewhere");
  let isStored = false;
  const waiting = slotsIn("waybill").use(async () => {
    isStored = true;
  });
  now = 4_999;
  await nextTick();
  expect(isStored).toBe(false);
  now = 5_000;
  await waiting;
});

it("fails immediately if the leases are unavailable", async () => {
  const away = () => Promise.reject(new StoreUnavailableError("away"));
  const slots = new InsertSlots({ acquire: away, release: away }, "waybill");
  await expect(slots.use(async () => "stored")).rejects.toThrow(StoreUnavailableError);
});
