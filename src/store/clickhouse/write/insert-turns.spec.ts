import { setImmediate as nextTurn } from "node:timers/promises";
import { beforeEach, expect, it } from "vitest";
import { ProcessLeases } from "../../../control/embedded/process-leases.js";
import { systemClock } from "../../../model/clock.js";
import { StoreUnavailableError } from "../../../model/store-error.js";
import { InsertTurns } from "./insert-turns.js";

let now: number;
let leases: ProcessLeases;
beforeEach(() => {
  now = 0;
  leases = new ProcessLeases({ ...systemClock, monotonic: () => now });
});

const turnsIn = (database: string) => new InsertTurns(leases, database);

it("lets the inserts of several processes follow each other", async () => {
  let running = 0;
  let most = 0;
  const stored: number[] = [];
  const insertAll = async (process: number): Promise<void> => {
    const turns = turnsIn("waybill");
    for (let i = 0; i < 3; i++) {
      await turns.take(async () => {
        most = Math.max(most, ++running);
        await nextTurn();
        running--;
        stored.push(process);
      });
    }
  };
  await Promise.all([1, 2, 3].map(insertAll));
  expect(most).toBe(1);
  expect(stored.toSorted()).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3]);
});

it("ends the turn of an insert that fails, and reports its error", async () => {
  const failing = turnsIn("waybill").take(() => Promise.reject(new Error("full")));
  await expect(failing).rejects.toThrow("full");
  expect(await turnsIn("waybill").take(async () => "stored")).toBe("stored");
});

it("does not wait for a process that is gone, nor for one that inserts elsewhere", async () => {
  const isGone = turnsIn("waybill").take(() => new Promise(() => {}));
  isGone.catch(() => {});
  expect(await turnsIn("other").take(async () => "elsewhere")).toBe("elsewhere");
  let isStored = false;
  const waiting = turnsIn("waybill").take(async () => {
    isStored = true;
  });
  now = 4_999;
  await nextTurn();
  expect(isStored).toBe(false);
  now = 5_000;
  await waiting;
});

it("fails at once if the leases cannot be reached", async () => {
  const away = () => Promise.reject(new StoreUnavailableError("away"));
  const turns = new InsertTurns({ acquire: away, release: away }, "waybill");
  await expect(turns.take(async () => "stored")).rejects.toThrow(StoreUnavailableError);
});
