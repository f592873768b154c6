import { expect, test } from "vitest";
import { appIncident } from "../testing/app-incident.js";
import type { AppIncident } from "./app-incident.js";
import { withoutRepeatedSilences } from "./project-silences.js";

const silence = (appId: string, startDay: number, endDay?: number, isOfProject = true): AppIncident => ({
  appId,
  label: undefined,
  outcome: "fewerAccepted",
  kind: "silence",
  startDay,
  ...(endDay !== undefined && { endDay }),
  usualMessageCount: 100,
  usualLowMessageCount: 90,
  usualHighMessageCount: 110,
  observedMessageCount: 0,
  excessMessageCount: 100,
  confidence: 1,
  isOfProject,
});

test.each<[string, readonly AppIncident[], readonly number[]]>([
  ["one of several silences of the project", [silence("b", 10), silence("a", 10), silence("c", 11)], [1]],
  ["the earliest silence of the project", [silence("a", 11), silence("b", 10)], [1]],
  ["silences of the project at different times", [silence("a", 20), silence("b", 10, 12)], [0, 1]],
  ["silences of an app", [silence("a", 10, 12, false), silence("b", 10, 12, false)], [0, 1]],
  ["other incidents", [appIncident(), silence("a", 10), silence("b", 10)], [0, 1]],
])("withoutRepeatedSilences keeps %s", (_, incidents, kept) => {
  expect(withoutRepeatedSilences(incidents)).toEqual(kept.map((index) => incidents[index]));
});
