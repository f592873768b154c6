import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { failureOf, STEPS, stepText } from "./failure.js";

const readGuide = (name: string): string =>
  readFileSync(new URL(`../../../../docs/guides/${name}.md`, import.meta.url), "utf8");

describe("explanations of failed steps", () => {
  it.each(["verify-app-attest", "attest-ios-apps"])("cover all steps in the guide %s", (guide) => {
    const [, table = ""] = /\| Step \|[^\n]*\n\|[-|]+\n((?:\|[^\n]*\n)+)/.exec(readGuide(guide)) ?? [];
    const steps = table
      .split("\n")
      .flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map(([, step = ""]) => step));
    expect(steps.length).toBeGreaterThan(4);
    expect(steps.filter((step) => STEPS[step] === undefined)).toEqual([]);
  });

  it.each(Object.entries(STEPS))("link %s to a heading of a guide", (_, { docs }) => {
    const [, guide = "", anchor] = /^\.\.\/docs\/guides\/([\w-]+)#([\w-]+)$/.exec(docs) ?? [];
    const headings = [...readGuide(guide).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
      heading.toLowerCase().replaceAll(" ", "-"),
    );
    expect(headings).toContain(anchor);
  });

  it("name a step that the page does not know", () => {
    expect(stepText("future").title).toBe("Failed step: future");
  });
});

it("reads a failure from JSON", () => {
  const text = { provider: "debug", step: "debug_token", expected: "a", found: "b" };
  expect(failureOf({ name: "n", time: "1970-01-01T00:00:01Z", ...text })).toEqual({
    name: "n",
    time: 1_000,
    ...text,
  });
});
