import { beforeEach, describe, expect, it } from "vitest";
import type { Day } from "../../model/day.js";
import type { AppIncident } from "../list/app-incident.js";
import { appIncident } from "../testing/app-incident.js";
import { incidentsWork } from "./incidents-job.js";
import { OngoingIncidents } from "./ongoing-incidents.js";

const MINUTE = 60_000;

let until: Day;
let now: number;
let version: string;
let apps: Map<string, readonly AppIncident[]>;
let ongoing: OngoingIncidents;
let judgements: unknown[];
let isFull: boolean;
let work: ReturnType<typeof incidentsWork>;

beforeEach(() => {
  [until, now, version] = [20_000, 0, "1"];
  apps = new Map();
  ongoing = new OngoingIncidents();
  [judgements, isFull] = [[], false];
  work = incidentsWork({
    incidents: { of: async ({ appId = "" }) => apps.get(appId) ?? [] },
    store: {
      version: async () => version,
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
    evaluated: async (...judgement) => {
      if (isFull) throw new Error("full");
      judgements.push(judgement);
    },
  });
});

const incident = (endDay?: Day): AppIncident =>
  appIncident({ startDay: 19_990, ...(endDay !== undefined && { endDay }) });

const fence = { lease: "incidents", number: 1 };
const { signal } = new AbortController();
const dueProjects = async () => (await work.dueProjects()).map(({ project }) => project);
/** Does the due work of a project, as a runner does. */
async function judge(project: string): Promise<void> {
  expect(await dueProjects()).toContain(project);
  await work.run(project, [], fence, signal);
}

describe("a project is due", () => {
  it("until it was judged", async () => {
    expect(await dueProjects()).toEqual(["1", "2"]);
    await judge("1");
    expect(await dueProjects()).toEqual(["2"]);
  });

  it("when a further day is listed", async () => {
    await judge("1");
    until++;
    expect(await dueProjects()).toEqual(["1", "2"]);
  });

  it("within ten seconds after a listed day was published, and not all the time", async () => {
    await judge("1");
    version = "2";
    now = 4_000;
    expect(await dueProjects()).toEqual(["2"]);
    now = 10_000 - (work.interval ?? Number.NaN);
    expect(await dueProjects()).toEqual(["1", "2"]);
    await judge("1");
    now = 20 * MINUTE;
    expect(await dueProjects()).toEqual(["2"]);
  });

  it("after the clock was set back", async () => {
    now = 60 * MINUTE;
    await judge("1");
    version = "2";
    now = 0;
    expect(await dueProjects()).toEqual(["1", "2"]);
  });
});

it("counts the ongoing incidents of each app", async () => {
  apps.set("a", [incident(), incident(), incident(19_995)]);
  apps.set("b", [incident(19_995)]);
  await judge("1");
  expect(ongoing.byApp()).toEqual([
    { project: "1", app: "a", incidents: 2 },
    { project: "1", app: "", incidents: 0 },
  ]);
});

it("hands over the incidents of all apps but those that ended long ago", async () => {
  apps.set("a", [incident(), incident(until - 89), incident(until - 90)]);
  apps.set("b", [incident(until)]);
  await judge("1");
  expect(judgements).toEqual([["1", until, [incident(), incident(until - 89), incident(until)]]]);
});

it("judges a project again if its judgement could not be handed over, but counts its incidents", async () => {
  isFull = true;
  apps.set("a", [incident()]);
  await expect(work.run("1", [], fence, signal)).rejects.toThrow("full");
  expect(await dueProjects()).toEqual(["1", "2"]);
  expect(ongoing.byApp()).toContainEqual({ project: "1", app: "a", incidents: 1 });
});

it("judges any number of apps", async () => {
  for (let i = 0; i < 2_500; i++) apps.set(`app-${i}`, [incident()]);
  await judge("1");
  expect(ongoing.byApp().reduce((sum, { incidents }) => sum + incidents, 0)).toBe(2_500);
});
