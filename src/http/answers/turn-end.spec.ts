import { expect, test } from "vitest";
import { atTurnEnd } from "./turn-end.js";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("work is done at the end of the turn, in order; work that it adds is done a turn later", async () => {
  const done: string[] = [];
  atTurnEnd(() => {
    done.push("first");
    atTurnEnd(() => done.push("added"));
  });
  await Promise.resolve();
  process.nextTick(() => atTurnEnd(() => done.push("second")));
  await Promise.resolve();
  expect(done).toEqual([]);
  await turn();
  expect(done).toEqual(["first", "second"]);
  await turn();
  expect(done).toEqual(["first", "second", "added"]);
});
