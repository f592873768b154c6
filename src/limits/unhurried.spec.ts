import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { Unhurried } from "./unhurried.js";

it("runs pieces in order, with turns of the event loop between them", async () => {
  const work = new Unhurried();
  const done: number[] = [];
  for (let round = 0; round < 2; round++) {
    done.length = 0;
    for (let piece = 0; piece < 100; piece++) work.add("a", () => done.push(piece));
    expect(done).toEqual([]);
    let turns = 0;
    for (; done.length < 100; turns++) await nextTurn();
    expect(done).toEqual(Array.from({ length: 100 }, (_, piece) => piece));
    expect(turns).toBeGreaterThan(10);
  }
});

it("runs a piece that another piece adds", async () => {
  const work = new Unhurried();
  const added = new Promise<void>((resolve) => work.add("a", () => work.add("a", resolve)));
  await expect(added).resolves.toBeUndefined();
});

it("lets a caller with one piece wait for no more than a piece of each other caller", async () => {
  const work = new Unhurried();
  const done: string[] = [];
  for (let piece = 0; piece < 100; piece++) work.add("a", () => done.push("a"));
  await new Promise<void>((resolve) => {
    work.add("b", () => {
      done.push("b");
      resolve();
    });
  });
  expect(done.slice(0, 2)).toEqual(["a", "b"]);
});
