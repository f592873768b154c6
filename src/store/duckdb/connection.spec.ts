import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { WaitTimeoutError } from "../../limits/limit-wait.js";
import { StoreUnavailableError, TooManyGroupsError } from "../../model/store-error.js";
import { interruptible, orUnavailable } from "./connection.js";

/** A query that runs for days. */
const ENDLESS = "SELECT count(*) FROM range(1000000000000) t(i) WHERE hash(i) % 7 = 3";

describe("interruptible", () => {
  let instance: DuckDBInstance;
  let connection: DuckDBConnection;
  beforeEach(async () => {
    instance = await DuckDBInstance.create(":memory:", { threads: "2" });
    connection = await instance.connect();
  });
  afterEach(() => {
    connection.closeSync();
    instance.closeSync();
  });
  const one = async () => (await connection.runAndReadAll("SELECT 1")).getRows();

  test.each([
    ["before the engine has begun it", (abort: () => void) => abort()],
    ["in the next tick", (abort: () => void) => setImmediate(abort)],
    ["while it runs", (abort: () => void) => setTimeout(abort, 50)],
  ])("ends an interrupted query when aborted %s, and no other query", async (_, when) => {
    for (let i = 0; i < 20; i++) {
      const controller = new AbortController();
      const running = interruptible(connection, controller.signal, () => connection.run(ENDLESS));
      when(() => controller.abort(`gone ${i}`));
      // The engine's own error, because the caller that aborted already knows the reason.
      await expect(running).rejects.toThrow(/interrupted/i);
      expect(await one()).toEqual([[1]]);
    }
  });

  it("interrupts any of several consecutive queries", async () => {
    const controller = new AbortController();
    const running = interruptible(connection, controller.signal, async () => {
      await one();
      setTimeout(() => controller.abort(), 20);
      for (;;) await connection.run("SELECT count(*) FROM range(100000)");
    });
    await expect(running).rejects.toThrow(/interrupted/i);
    expect(await one()).toEqual([[1]]);
  });

  it("throws the abort reason if the work has already ended or never began", async () => {
    const controller = new AbortController();
    const work = async () => {
      controller.abort("gone");
      return "done";
    };
    await expect(interruptible(connection, controller.signal, work)).rejects.toBe("gone");
    await expect(interruptible(connection, controller.signal, one)).rejects.toBe("gone");
  });

  it("does not interrupt work if the signal does not abort", async () => {
    const { signal } = new AbortController();
    expect(await interruptible(connection, signal, one)).toEqual([[1]]);
    expect(await interruptible(connection, undefined, one)).toEqual([[1]]);
  });
});

describe("orUnavailable", () => {
  it.each([
    new WaitTimeoutError("no slot came free in time"),
    new TooManyGroupsError("too many groups"),
    new StoreUnavailableError("no space left"),
  ])("does not wrap an error that services handle: %s", async (error) => {
    await expect(orUnavailable("storing events", () => Promise.reject(error))).rejects.toBe(error);
  });

  it("reports any other error as an unavailable store", async () => {
    const work = orUnavailable("storing events", () => Promise.reject(new Error("IO Error")));
    await expect(work).rejects.toThrow(StoreUnavailableError);
  });
});
