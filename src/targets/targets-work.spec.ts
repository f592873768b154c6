import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { Target_State as State, TargetSchema } from "../gen/waybill/messagingdata/v1beta1/target_pb.js";
import { AppCounts } from "../messaging-data/jobs/app-counts.js";
import { civilDate } from "../model/day.js";
import { targetsWork } from "./targets-work.js";

const fence = { lease: "targets", number: 1 };
const { signal } = new AbortController();

it("targetsWork counts missed targets by app, passes all results on, and evaluates them again after a change of targets", async () => {
  const missed = new AppCounts();
  const evaluations: unknown[] = [];
  let [now, changes] = [0, 0];
  let states = { shop: State.MISSED, news: State.MET, small: State.TOO_FEW_MESSAGES };
  const work = targetsWork({
    store: { version: async () => "1", projectsWithEntries: async () => ["1"] },
    projects: () => [{ id: "one", number: "1" }],
    lastListedDay: () => 20_000,
    wall: () => now,
    changes: () => changes,
    targets: {
      list: async () =>
        Object.keys(states).map((appId) => ({
          id: appId,
          name: `projects/1/targets/${appId}`,
          etag: "1",
          value: { appId, deliveredPercent: 85, createTime: 0, updateTime: 0 },
        })),
    },
    results: {
      withResults: async (_project, targets) =>
        targets.map(({ appId }) =>
          create(TargetSchema, {
            appId,
            state: states[appId as keyof typeof states],
            evaluatedDate: civilDate(20_000),
          }),
        ),
    },
    missed,
    evaluated: async (project, targets) => {
      evaluations.push([project, targets.map(({ day, target }) => [day, target.appId])]);
    },
  });
  const dueProjects = async () => (await work.dueProjects()).map(({ project }) => project);
  const evaluate = async () => {
    expect(await dueProjects()).toEqual(["1"]);
    await work.run("1", [], fence, signal);
    now += 60_000;
  };
  await evaluate();
  expect(missed.byApp()).toEqual([
    { project: "1", app: "shop", count: 1 },
    { project: "1", app: "", count: 0 },
  ]);
  expect(evaluations).toEqual([["1", ["shop", "news", "small"].map((appId) => [20_000, appId])]]);
  expect(await dueProjects()).toEqual([]);
  states = { ...states, shop: State.MET };
  changes++;
  await evaluate();
  expect(missed.byApp()).toEqual([{ project: "1", app: "", count: 0 }]);
});
