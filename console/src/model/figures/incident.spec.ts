import { expect, test } from "vitest";
import type { AndroidIncidentJson } from "#src/gen/waybill/messagingdata/v1beta1/incident_pb.js";
import { dayOfCivil } from "#src/model/day.js";
import { formatRange, longDay } from "../days/format-day.js";
import { formatCount, formatPercent } from "../numbers/format-number.js";
import {
  blamedLabelOf,
  blamedLabelsOf,
  byUrgency,
  eventText,
  excessAmong,
  figuresText,
  incidentOf,
  isInside,
  lasts,
  rankIncidents,
  scopeText,
} from "./incident.js";

const FALL: AndroidIncidentJson = {
  appId: "app",
  analyticsLabel: "cart_reminder",
  outcome: "DELIVERED",
  startDate: { year: 2026, month: 11, day: 11 },
  usualPercent: 91,
  observedPercent: 36.2,
  excessMessageCount: "4878",
};
const SILENCE: AndroidIncidentJson = {
  appId: "app",
  wholeApp: true,
  kind: "SILENCE",
  startDate: { year: 2026, month: 11, day: 11 },
  usualMessageCount: "1800",
  usualLowMessageCount: "1520",
  usualHighMessageCount: "2131",
  excessMessageCount: "1800",
};
const FIRST = dayOfCivil(2026, 11, 11);
const [AFTER, BEFORE, MESSAGES] = [formatPercent(36.2), formatPercent(91), formatCount(4_878)];

test.each<[title: string, json: AndroidIncidentJson, text: string]>([
  [
    "an ongoing fall",
    FALL,
    `cart_reminder fell on ${longDay(FIRST)} and has not recovered: ${AFTER}, usually ${BEFORE}. ` +
      `About ${MESSAGES} more messages than usual were not delivered`,
  ],
  [
    "a fall with an annotation",
    {
      ...FALL,
      nearestAnnotation: { date: { year: 2026, month: 11, day: 10 }, kind: "RELEASE", text: "4.2" },
    },
    `cart_reminder fell on ${longDay(FIRST)} and has not recovered: ${AFTER}, usually ${BEFORE}. ` +
      `About ${MESSAGES} more messages than usual were not delivered. ` +
      `Annotation before it: Release: 4.2 (${longDay(FIRST - 1)})`,
  ],
  [
    "a one-day fall in the whole app",
    { ...FALL, analyticsLabel: "", wholeApp: true, endDate: { year: 2026, month: 11, day: 11 } },
    `The whole app fell on ${longDay(FIRST)}: ${AFTER}, usually ${BEFORE}. ` +
      `About ${MESSAGES} more messages than usual were not delivered`,
  ],
  [
    "an ended rise for messages without a label",
    {
      ...FALL,
      analyticsLabel: "",
      outcome: "DROPPED_TTL_EXPIRED",
      endDate: { year: 2026, month: 11, day: 14 },
    },
    `(no label) had more dropped (expired) messages on ${formatRange({ first: FIRST, last: FIRST + 3 })}: ` +
      `${AFTER}, usually ${BEFORE}. About ${MESSAGES} more messages than usual were dropped (expired)`,
  ],
  [
    "an ongoing silence of the whole app",
    { ...SILENCE },
    `The whole app had no messages since ${longDay(FIRST)}: 0 messages, usually ${formatCount(1_800)}`,
  ],
  [
    "a silence of the whole project",
    { ...SILENCE, wholeProject: true },
    `Every app in the project had no messages since ${longDay(FIRST)}: 0 messages, usually ${formatCount(1_800)}`,
  ],
  [
    "an ended rise of a label",
    {
      ...SILENCE,
      kind: "RISE",
      wholeApp: false,
      analyticsLabel: "promo",
      observedMessageCount: "5400",
      endDate: { year: 2026, month: 11, day: 14 },
    },
    `promo had more messages than usual on ${formatRange({ first: FIRST, last: FIRST + 3 })}: ` +
      `${formatCount(5_400)} messages, usually ${formatCount(1_800)}`,
  ],
])("eventText and figuresText describe %s", (_, json, text) => {
  const incident = incidentOf(json);
  expect(`${eventText(incident)}: ${figuresText(incident)}`).toBe(text);
});

test.each<[what: string, end: AndroidIncidentJson["endDate"], lastsAfter: boolean]>([
  ["while it is ongoing", undefined, true],
  ["until its last day", { year: 2026, month: 11, day: 13 }, false],
])("an incident lasts %s", (_, endDate, lastsAfter) => {
  const incident = incidentOf({ ...FALL, ...(endDate && { endDate }) });
  expect([FIRST - 1, FIRST, FIRST + 2, FIRST + 3].map((day) => lasts(incident, day))).toEqual([
    false,
    true,
    true,
    lastsAfter,
  ]);
});

test("rankIncidents sorts by excess messages, not by shares", () => {
  const incidents = [
    { ...FALL, analyticsLabel: "tiny", observedPercent: 0, excessMessageCount: "9" },
    { ...FALL, analyticsLabel: "large", observedPercent: 80, excessMessageCount: "10000" },
    FALL,
  ].map(incidentOf);
  expect(rankIncidents(incidents).map(({ label }) => label)).toEqual(["large", "cart_reminder", "tiny"]);
});

test("byUrgency sorts ongoing incidents before ended ones, regardless of size", () => {
  const incidents = [
    {
      ...FALL,
      analyticsLabel: "over",
      endDate: { year: 2026, month: 11, day: 12 },
      excessMessageCount: "9000",
    },
    { ...FALL, analyticsLabel: "small", excessMessageCount: "20" },
    FALL,
  ].map(incidentOf);
  expect(byUrgency(incidents).map(({ label }) => label)).toEqual(["cart_reminder", "small", "over"]);
});

test.each<[what: string, end: AndroidIncidentJson["endDate"], listed: number, inside: boolean]>([
  ["an incident that ends in the range", { year: 2026, month: 11, day: 13 }, FIRST + 40, true],
  ["an incident that ends after the range", { year: 2026, month: 11, day: 20 }, FIRST + 40, false],
  ["an ongoing incident, if the range ends with the last listed day", undefined, FIRST + 5, true],
  ["an ongoing incident, if the range ends earlier", undefined, FIRST + 6, false],
])("isInside of %s", (_, endDate, listed, inside) => {
  const incident = incidentOf({ ...FALL, ...(endDate && { endDate }) });
  expect(isInside(incident, { first: FIRST, last: FIRST + 5 }, listed)).toBe(inside);
  expect(isInside(incident, { first: FIRST + 1, last: FIRST + 5 }, listed)).toBe(false);
});

test("excessAmong counts messages beyond the usual share, of the incident's outcome", () => {
  const counts = { countMessagesAccepted: 200, delivered: 120, droppedTtlExpired: 30 };
  const fall = incidentOf({ ...FALL, usualPercent: 90 });
  const rise = incidentOf({ ...FALL, outcome: "DROPPED_TTL_EXPIRED", usualPercent: 5 });
  expect([fall, rise].map((incident) => excessAmong(incident, counts))).toEqual([60, 20]);
  // A day that is better than usual has no excess.
  expect(excessAmong(fall, { countMessagesAccepted: 10, delivered: 10 })).toBe(0);
});

test("scopeText names the whole app only in a view of labels, and only for an incident of the whole app", () => {
  const ofLabel = incidentOf(FALL);
  const ofApp = incidentOf(SILENCE);
  expect([ofLabel, ofApp].map((incident) => scopeText(incident, undefined))).toEqual(["", ""]);
  expect(scopeText(ofLabel, ["cart_reminder"])).toBe("");
  expect(scopeText(ofApp, ["cart_reminder"])).toBe(" These figures are for the whole app, with all labels.");
});

test("the worst ongoing fall of a label is to blame, not ended incidents, silences, or the whole app", () => {
  const ended = {
    ...FALL,
    analyticsLabel: "ended",
    endDate: { year: 2026, month: 11, day: 12 },
    excessMessageCount: "9000",
  };
  const worse = { ...FALL, analyticsLabel: "worse", excessMessageCount: "5000" };
  const wholeApp = { ...FALL, analyticsLabel: "", wholeApp: true, excessMessageCount: "9000" };
  const silence = { ...SILENCE, wholeApp: false, analyticsLabel: "silent" };
  const blamed = (...incidents: AndroidIncidentJson[]): string | undefined =>
    blamedLabelOf(incidents.map(incidentOf));
  expect(blamed(ended, FALL, worse, wholeApp, silence)).toBe("worse");
  expect(blamed(ended, wholeApp, silence)).toBeUndefined();
});

test("blamedLabelsOf returns labels with an incident in the range, worst first, unless one label is in view", () => {
  const incidents = [
    FALL,
    { ...FALL, analyticsLabel: "worse", excessMessageCount: "5000" },
    { ...FALL, analyticsLabel: "worse", outcome: "PENDING" },
    { ...FALL, analyticsLabel: "", wholeApp: true, excessMessageCount: "9000" },
    { ...FALL, analyticsLabel: "ended", endDate: { year: 2026, month: 11, day: 12 } },
  ].map((json) => incidentOf(json as AndroidIncidentJson));
  const blamed = (first: number, last: number, labels?: readonly string[]) =>
    blamedLabelsOf(incidents, { first: FIRST + first, last: FIRST + last }, labels);
  expect(blamed(0, 5)).toEqual(["worse", "cart_reminder", "ended"]);
  expect(blamed(2, 5)).toEqual(["worse", "cart_reminder"]);
  expect(blamed(-5, -1)).toEqual([]);
  expect(blamed(0, 5, ["cart_reminder", "other"])).toEqual(["cart_reminder"]);
  expect(blamed(0, 5, ["cart_reminder"])).toEqual([]);
});
