import { beforeEach, describe, expect, it } from "vitest";
import { AppCounts } from "../../messaging-data/jobs/app-counts.js";
import type { Day } from "../../model/day.js";
import type { AppIncident } from "../list/app-incident.js";
import { appIncident } from "../testing/app-incident.js";
import { incidentsWork } from "./incidents-job.js";

const MINUTE = 60_000;

let until: Day;
let now: number;
let version: string;
let apps: Map<string, readonly AppIncident[]>;
let ongoing: AppCounts;
let evaluations: unknown[];
let isFull: boolean;
let stale: readonly Day[];
let work: ReturnType<typeof incidentsWork>;

beforeEach(() => {
  [until, now, version] = [20_000, 0, "1"];
  apps = new Map();
  ongoing = new AppCounts();
  [evaluations, isFull, stale] = [[], false, []];
  work = incidentsWork({
    incidents: { of: async ({ appId = "" }) => apps.get(appId) ?? [] },
    store: {
      version: async () => version,
      projectsWithEntries: async () => ["1", "2"],
      staleDays: async ({ before = Number.POSITIVE_INFINITY, limit }) =>
        stale.filter((day) => day < before).slice(0, limit),
      listApps: async ({ after = "", limit }) =>
        [...apps.keys()]
          .sort()
          .filter((appId) => appId > after)
          .slice(0, limit)
          .map((appId) => ({ appId, firstDay: until, lastDay: until })),
    },
    projects: () => [
      { id: "one", number: "1" },
      { id: "two", number: "2" },
    ],
    lastListedDay: () => until,
    wall: () => now,
    ongoing,
    evaluated: async (evaluation) => {
      if (isFull) throw new Error("full");
      evaluations.push(evaluation);
    },
  });
});

const incident = (endDay?: Day): AppIncident =>
  appIncident({ startDay: 19_990, ...(endDay !== undefined && { endDay }) });

const fence = { lease: "incidents", number: 1 };
const { signal } = new AbortController();
const dueProjects = async () => (await work.dueProjects()).map(({ project }) => project);
/** Does the due work of a project, like a runner. */
async function evaluate(project: string): Promise<void> {
  expect(await dueProjects()).toContain(project);
  await work.run(project, [], fence, signal);
}

describe("incidentsWork makes a project due", () => {
  it("until it is evaluated", async () => {
    expect(await dueProjects()).toEqual(["1", "2"]);
    await evaluate("1");
    expect(await dueProjects()).toEqual(["2"]);
  });

  it("when another day is listed", async () => {
    await evaluate("1");
    until++;
    expect(await dueProjects()).toEqual(["1", "2"]);
  });

  it("within ten seconds after a listed day was published, but not immediately each time", async () => {
    await evaluate("1");
    version = "2";
    now = 4_000;
    expect(await dueProjects()).toEqual(["2"]);
    now = 10_000 - (work.interval ?? Number.NaN);
    expect(await dueProjects()).toEqual(["1", "2"]);
    await evaluate("1");
    now = 20 * MINUTE;
    expect(await dueProjects()).toEqual(["2"]);
  });

  it("after the clock was set back", async () => {
    now = 60 * MINUTE;
    await evaluate("1");
    version = "2";
    now = 0;
    expect(await dueProjects()).toEqual(["1", "2"]);
  });
});

it("incidentsWork counts the ongoing incidents of each app", async () => {
  apps.set("a", [incident(), incident(), incident(19_995)]);
  apps.set("b", [incident(19_995)]);
  await evaluate("1");
  expect(ongoing.byApp()).toEqual([
    { project: "1", app: "a", count: 2 },
    { project: "1", app: "", count: 0 },
  ]);
});

it("incidentsWork passes on the ongoing and recent incidents of all apps", async () => {
  apps.set("a", [incident(), incident(until - 89), incident(until - 90)]);
  apps.set("b", [incident(until)]);
  await evaluate("1");
  const incidents = [incident(), incident(until - 89), incident(until)];
  expect(evaluations).toEqual([{ project: "1", until, isComplete: true, incidents }]);
});

it("incidentsWork reports whether the last listed day had its rollup before the evaluation", async () => {
  stale = [until + 1, until - 1];
  await evaluate("1");
  stale = [until + 1, until];
  await evaluate("2");
  expect(evaluations).toMatchObject([{ isComplete: true }, { isComplete: false }]);
});

it("incidentsWork counts incidents that could not be passed on, and evaluates their project again", async () => {
  isFull = true;
  apps.set("a", [incident()]);
  await expect(work.run("1", [], fence, signal)).rejects.toThrow("full");
  expect(await dueProjects()).toEqual(["1", "2"]);
  expect(ongoing.byApp()).toContainEqual({ project: "1", app: "a", count: 1 });
});

it("incidentsWork evaluates any number of apps", async () => {
  for (let i = 0; i < 2_500; i++) apps.set(`app-${i}`, [incident()]);
  await evaluate("1");
  expect(ongoing.byApp().reduce((sum, { count }) => sum + count, 0)).toBe(2_500);
});
