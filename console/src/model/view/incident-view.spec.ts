import { expect, test } from "vitest";
import { fall } from "../figures/testing/fall.js";
import { viewOfIncident } from "./incident-view.js";

const INCIDENT = fall({ label: "promo", firstDay: 20_020, excess: 7 });

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
