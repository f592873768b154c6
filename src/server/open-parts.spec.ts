import { describe, expect, it } from "vitest";
import { type Closable, OpenParts, openTogether } from "./open-parts.js";

/** Creates parts that record when they are closed. */
function journal() {
  const closed: string[] = [];
  const part = (name: string, error?: Error): Closable => ({
    close: async (graceMs) => {
      closed.push(`${name} in ${graceMs}`);
      if (error !== undefined) throw error;
    },
  });
  return { closed, part };
}

describe("OpenParts", () => {
  it("closes parts once, in reverse order", async () => {
    const { closed, part } = journal();
    const parts = new OpenParts();
    for (const name of ["first", "second", "third"]) parts.add(part(name));
    await parts.close(5);
    await parts.close(7);
    expect(closed).toEqual(["third in 5", "second in 5", "first in 5"]);
  });

  it("closes every part even if closing some of them fails, and throws the first error", async () => {
    const { closed, part } = journal();
    const parts = new OpenParts();
    parts.add(part("first", new Error("first failed")));
    parts.add(part("second"));
    parts.add(part("third", new Error("third failed")));
    await expect(parts.close(0)).rejects.toThrow("third failed");
    expect(closed).toEqual(["third in 0", "second in 0", "first in 0"]);
  });
});

describe("openTogether", () => {
  it("leaves all parts open if all could be opened", async () => {
    const { closed, part } = journal();
    const parts = await openTogether(async (open) => {
      open.add(part("only"));
      return open;
    });
    expect(closed).toEqual([]);
    await parts.close(1);
    expect(closed).toEqual(["only in 1"]);
  });

  it("closes the parts that were opened if another part cannot be opened, and throws its error", async () => {
    const { closed, part } = journal();
    const opening = openTogether(async (open) => {
      open.add(part("first"));
      open.add(part("second", new Error("second cannot be closed")));
      throw new Error("third cannot be opened");
    });
    await expect(opening).rejects.toThrow("third cannot be opened");
    expect(closed).toEqual(["second in 0", "first in 0"]);
  });
});
