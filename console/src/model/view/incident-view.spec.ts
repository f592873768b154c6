import { expect, test } from "vitest";
import type { Incident } from "../figures/incident.js";
import { viewOfIncident } from "./incident-view.js";

const INCIDENT: Incident = {
  app: "app",
  label: "promo",
  kind: "OUTCOME_SHARE",
  isOfProject: false,
  nearest: "",
  outcome: "DELIVERED",
  firstDay: 20_020,
  lastDay: undefined,
  usual: 90,
  usualLow: 85,
  usualHigh: 95,
  observed: 50,
  excess: 7,
};

test("an ongoing incident's view begins 14 days before, moves on, and shows its label", () => {
  expect(viewOfIncident(INCIDENT)).toEqual({
    tab: "overview",
    labels: ["promo"],
    range: { kind: "since", first: 20_006 },
  });
});

test("an ended incident of the whole app lists all labels until its last day", () => {
  expect(viewOfIncident({ ...INCIDENT, label: undefined, lastDay: 20_023 })).toEqual({
    tab: "labels",
    labels: undefined,
    range: { kind: "own", range: { first: 20_006, last: 20_023 } },
  });
});
