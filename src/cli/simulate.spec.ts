import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it, test } from "vitest";
import { fileDirectory } from "../../test/support/test-directory.js";
import { type NaiveEvent, naiveJson, naiveRollup } from "../store/testing/naive-rollup.js";
import { simulateCommand } from "./simulate.js";

const folder = fileDirectory();

async function simulate(...flags: string[]): Promise<void> {
  const command = simulateCommand()
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  await command.parseAsync(flags, { from: "user" });
}

function linesOf(text: string): string[] {
  return text.split("\n").slice(0, -1);
}

describe("waybill simulate", () => {
  it("writes events, and the entries that they must result in", async () => {
    const [out, expected] = [join(folder, "events.ndjson"), join(folder, "expected.ndjson")];
    await simulate("--messages", "3000", "--days", "3", "--seed", "9", "--out", out, "--expect", expected);
    const events = linesOf(readFileSync(out, "utf8")).map((line) => JSON.parse(line) as NaiveEvent);
    const entries = linesOf(readFileSync(expected, "utf8")).map((line) => JSON.parse(line) as unknown);
    expect(entries).toEqual(naiveRollup(events).map(naiveJson));
    expect(events.some((event) => event.appId === "1:123456789012:android:0a1b2c3d4e5f")).toBe(true);
  });

  it("includes the requested failures in events and entries", async () => {
    const [out, expected] = [join(folder, "faulty.ndjson"), join(folder, "faulty-expected.ndjson")];
    const faults = [
      ["--fault", "label=promo,from=2025-03-04,delivered=0"],
      ["--fault", "label=,from=2025-03-05,to=2025-03-05,delivered=0.5"],
    ].flat();
    await simulate("--messages", "3000", "--days", "3", ...faults, "--out", out, "--expect", expected);
    const events = linesOf(readFileSync(out, "utf8")).map((line) => JSON.parse(line) as NaiveEvent);
    const entries = linesOf(readFileSync(expected, "utf8")).map((line) => JSON.parse(line) as unknown);
    expect(entries).toEqual(naiveRollup(events).map(naiveJson));
    const ofPromo = linesOf(readFileSync(expected, "utf8")).filter((line) => line.includes('"promo"'));
    const hasDeliveries = (line: string): boolean => line.includes('"delivered":');
    expect(ofPromo.filter(hasDeliveries)).toEqual(ofPromo.filter((line) => line.includes('"day":3}')));
    expect(ofPromo.filter(hasDeliveries)).not.toEqual([]);
  });

  it("compresses a file with a name that ends with .gz", async () => {
    const [plain, packed] = [join(folder, "plain.ndjson"), join(folder, "packed.ndjson.gz")];
    for (const out of [plain, packed]) await simulate("--messages", "500", "--days", "2", "--out", out);
    expect(gunzipSync(readFileSync(packed))).toEqual(readFileSync(plain));
  });

  test.each([
    { flags: ["--messages", "0"], message: /--messages.*whole number from 1/ },
    { flags: ["--messages", "1.5"], message: /--messages.*whole number/ },
    { flags: ["--days", "many"], message: /--days.*whole number/ },
    { flags: ["--apps", "1001"], message: /--apps.*to 1000/ },
    { flags: ["--labels", "-1"], message: /--labels.*whole number from 0/ },
    { flags: ["--seed", ""], message: /--seed.*whole number/ },
    { flags: ["--start", "2025-02-29"], message: /--start.*YYYY-MM-DD/ },
    { flags: ["--start", "1969-12-31"], message: /--start.*from 1970-01-01/ },
    {
      flags: ["--fault", "from=2025-03-03"],
      message: /--fault.*delivered must be at least 0 and less than 1/,
    },
    { flags: ["--fault", "from=2025-03-03,delivered=1"], message: /--fault.*delivered must be at least 0/ },
    { flags: ["--fault", "from=2025-03-03,delivered="], message: /--fault.*delivered must be at least 0/ },
    { flags: ["--fault", "delivered=0"], message: /--fault.*from must be a date/ },
    { flags: ["--fault", "from=2025-03-32,delivered=0"], message: /--fault.*from must be a date/ },
    { flags: ["--fault", "from=2025-03-03,to=x,delivered=0"], message: /--fault.*to must be a date/ },
    {
      flags: ["--fault", "from=2025-03-03,to=2025-03-02,delivered=0"],
      message: /to must not be before from/,
    },
    { flags: ["--fault", "from=2025-03-03,from=2025-03-03,delivered=0"], message: /from is repeated/ },
    { flags: ["--fault", "day=1"], message: /--fault.*"day" is not one of label=, from=, to=, delivered=/ },
    {
      flags: ["--labels", "2", "--fault", "label=sale,from=2025-03-03,delivered=0"],
      message: /--fault: label: unknown label "sale"; known labels: order_status, promo/,
    },
    { flags: ["--expect", "-"], message: /--out and --expect are the same file/ },
    { flags: ["--out", join(folder, "none", "events")], message: /cannot write .*none.*: there is no such/ },
  ])("rejects $flags with a one-line message", async ({ flags, message }) => {
    await expect(simulate(...flags)).rejects.toThrow(message);
  });

  it("shows an example in its help text", () => {
    let help = "";
    simulateCommand()
      .configureOutput({ writeOut: (text) => (help += text) })
      .outputHelp();
    expect(help).toContain("$ waybill simulate --messages");
  });
});
