import { expect, test } from "vitest";
import { GatheredLines } from "./gathered-lines.js";

function gathering(): { lines: GatheredLines; written: string[]; flushed: () => number } {
  const written: string[] = [];
  let flushes = 0;
  const destination = { write: (text: string) => written.push(text), flushSync: () => flushes++ };
  return { lines: new GatheredLines(destination), written, flushed: () => flushes };
}

test("lines are written together after a moment, in order", async () => {
  const { lines, written } = gathering();
  for (const line of ["a\n", "b\n", "c\n"]) lines.write(line);
  expect(written).toEqual([]);
  await expect.poll(() => written.length).toBe(1);
  lines.write("d\n");
  await expect.poll(() => written.length).toBe(2);
  expect(written).toEqual(["a\nb\nc\n", "d\n"]);
});

test("flushing writes at once what waits, and leaves nothing to write", async () => {
  const { lines, written, flushed } = gathering();
  lines.write("a\n");
  lines.flushSync();
  lines.flushSync();
  expect(written).toEqual(["a\n"]);
  expect(flushed()).toBe(2);
});

test("lines that wait are written when the process exits", () => {
  const { lines, written, flushed } = gathering();
  lines.write("a\n");
  lines.flushAtExit();
  process.listeners("exit").at(-1)?.(0);
  expect(written).toEqual(["a\n"]);
  expect(flushed()).toBe(1);
});
