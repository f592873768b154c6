import { expect, test } from "vitest";
import { incidentInWords } from "./incidents.js";

const INCIDENT = {
  id: "5ee9d2f0a1b3c4d7",
  app: "shop",
  label: "cart_reminder",
  kind: "OUTCOME_SHARE",
  outcome: "DELIVERED",
  since: "2026-11-11",
  observedPercent: 36.2,
  usualPercent: 90.4,
  usualLowPercent: 87.1,
  usualHighPercent: 93.2,
  excessMessages: 4_878,
  confidence: 0.999999,
};
const { label: _, ...WHOLE_APP } = INCIDENT;
const SILENCE = {
  id: "5ee9d2f0a1b3c4d7",
  app: "shop",
  kind: "SILENCE",
  since: "2026-11-11",
  observedMessages: 0,
  usualMessages: 1_800,
  usualLowMessages: 1_520,
  usualHighMessages: 2_131,
  excessMessages: 1_800,
  confidence: 0.98,
};

test.each([
  [INCIDENT, /^cart_reminder \(app shop\): delivered fell to 36\.2 % since 2026-11-11, ongoing; /],
  [INCIDENT, / usual is 90\.4 % \(87\.1 % to 93\.2 %\)\. Beyond the usual, 4,878 messages not delivered\./],
  // Never 100 %.
  [INCIDENT, / 99\.99 % sure\.$/],
  [{ ...INCIDENT, confidence: 1 }, / 99\.99 % sure\.$/],
  [
    { ...INCIDENT, annotation: "Release 4.2 (2026-11-10)" },
    / sure\. Recorded near its start: Release 4\.2 \(2026-11-10\)\.$/,
  ],
  [{ ...INCIDENT, label: "" }, /^\(no label\) \(app shop\): /],
  [WHOLE_APP, /^App shop as a whole: /],
  [{ ...INCIDENT, until: "2026-11-11" }, / on 2026-11-11; /],
  [{ ...INCIDENT, until: "2026-11-13" }, / from 2026-11-11 to 2026-11-13; /],
  [
    SILENCE,
    /^App shop as a whole: no messages since 2026-11-11, ongoing: 0 messages; usual is 1,800 \(1,520 to 2,131\)\. 98 % sure\.$/,
  ],
  [{ ...SILENCE, wholeProject: true }, /^App shop, and every other app of the project: no messages /],
  [{ ...SILENCE, observedMessages: 12 }, /: almost no messages since .*: 12 messages; /],
  [{ ...SILENCE, kind: "FALL", observedMessages: 700 }, /: fewer messages than usual since /],
  [
    { ...SILENCE, kind: "RISE", label: "promo", observedMessages: 7_000 },
    /^promo \(app shop\): more messages than usual since /,
  ],
  [{ ...INCIDENT, outcome: "PENDING" }, /: pending rose to 36\.2 % .* 4,878 messages pending\./],
])("incidentInWords describes the incident %j", (incident, expected) => {
  expect(incidentInWords(incident)).toMatch(expected);
});
