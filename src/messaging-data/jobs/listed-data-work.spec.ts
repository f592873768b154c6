import { beforeEach, describe, expect, it } from "vitest";
import type { Day } from "../../model/day.js";
import { listedDataWork } from "./listed-data-work.js";

const MIN_INTERVAL = 60_000;

let until: Day;
let now: number;
let version: string;
let withEntries: readonly string[];
let worked: unknown[];
let onRun: (project: string) => Promise<void>;
let work: ReturnType<typeof listedDataWork>;

beforeEach(() => {
  [until, now, version, worked] = [20_000, 0, "1", []];
  withEntries = ["1", "2"];
  onRun = async () => {};
  work = listedDataWork({
    name: "some",
    store: { version: async () => version, projectsWithEntries: async () => withEntries },
    projects: () => [
      { id: "one", number: "1" },
      { id: "two", number: "2" },
    ],
    lastListedDay: () => until,
    wall: () => now,
    minInterval: MIN_INTERVAL,
    run: async (project, day) => {
      worked.push([project, day]);
      await onRun(project);
    },
  });
});

const fence = { lease: "work", number: 1 };
const { signal } = new AbortController();
const dueProjects = async () => (await work.dueProjects()).map(({ project }) => project);

/** Runs a project's due work, as a job runner does. */
async function run(project: string): Promise<void> {
  expect(await dueProjects()).toContain(project);
  await work.run(project, [], fence, signal);
}

describe("a project is due", () => {
  it("only after a publication, if it has never had entries", async () => {
    withEntries = ["2"];
    expect(await dueProjects()).toEqual(["2"]);
    until++;
    await run("2");
    expect(await dueProjects()).toEqual([]);
    [version, withEntries] = ["2", ["1", "2"]];
    now += MIN_INTERVAL;
    expect(await dueProjects()).toEqual(["1", "2"]);
  });

  it("once more after it has lost its entries", async () => {
    await run("1");
    withEntries = [];
    until++;
    expect(await dueProjects()).toEqual(["1"]);
  });

  it("later if its work lasted long, but within five minutes", async () => {
    for (const [duration, interval] of [
      [10_000, 100_000],
      [100_000, 300_000],
    ] as const) {
      onRun = async () => {
        now += duration;
      };
      await run("1");
      version = `${duration}`;
      now += interval - 1;
      expect(await dueProjects()).toEqual(["2"]);
      now += 1;
      expect(await dueProjects()).toEqual(["1", "2"]);
    }
  });

  it("immediately after a release, if a listed day was published", async () => {
    await run("1");
    await run("2");
    work.release?.();
    expect(await dueProjects()).toEqual([]);
    version = "2";
    expect(await dueProjects()).toEqual(["1", "2"]);
    await run("1");
    version = "3";
    expect(await dueProjects()).toEqual(["2"]);
  });

  it("until its work is done, on the last listed day", async () => {
    expect(await dueProjects()).toEqual(["1", "2"]);
    await run("1");
    expect(worked).toEqual([["1", until]]);
    expect(await dueProjects()).toEqual(["2"]);
  });

  it("when another day is listed", async () => {
    await run("1");
    until++;
    expect(await dueProjects()).toEqual(["1", "2"]);
  });

  it("when a listed day was published, but only after the interval", async () => {
    await run("1");
    version = "2";
    now = MIN_INTERVAL - 1;
    expect(await dueProjects()).toEqual(["2"]);
    now = MIN_INTERVAL;
    expect(await dueProjects()).toEqual(["1", "2"]);
    await run("1");
    now = 10 * MIN_INTERVAL;
    expect(await dueProjects()).toEqual(["2"]);
  });

  it("when a listed day was published during its work", async () => {
    onRun = async () => {
      version = "2";
    };
    await run("1");
    now = MIN_INTERVAL;
    expect(await dueProjects()).toEqual(["1", "2"]);
  });

  it("after its work has failed", async () => {
    onRun = async () => {
      throw new Error("away");
    };
    await expect(work.run("1", [], fence, signal)).rejects.toThrow("away");
    expect(await dueProjects()).toEqual(["1", "2"]);
  });

  it("after the clock was set back", async () => {
    now = 60 * MIN_INTERVAL;
    await run("1");
    version = "2";
    now = 0;
    expect(await dueProjects()).toEqual(["1", "2"]);
  });
});
