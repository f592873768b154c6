import { expect, test } from "vitest";
import type { AndroidIncidentJson } from "#src/gen/waybill/messagingdata/v1beta1/incident_pb.js";
import { dayOfCivil } from "#src/model/day.js";
import { formatRange, longDay } from "../days/format-day.js";
import { formatCount, formatPercent } from "../numbers/format-number.js";
import {
  byUrgency,
  daysOfIncident,
  eventText,
  figuresText,
  incidentOf,
  lasts,
  rankIncidents,
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
])("eventText and figuresText describe %s", (_, json, text) => {
  const incident = incidentOf(json);
  expect(`${eventText(incident)}: ${figuresText(incident)}`).toBe(text);
});

test.each<[what: string, end: AndroidIncidentJson["endDate"], lastsAfter: boolean, last: number]>([
  ["while it is ongoing", undefined, true, FIRST + 9],
  ["until its last day", { year: 2026, month: 11, day: 13 }, false, FIRST + 2],
])("an incident lasts %s", (_, endDate, lastsAfter, last) => {
  const incident = incidentOf({ ...FALL, ...(endDate && { endDate }) });
  expect([FIRST - 1, FIRST, FIRST + 2, FIRST + 3].map((day) => lasts(incident, day))).toEqual([
    false,
    true,
    true,
    lastsAfter,
  ]);
  expect(daysOfIncident(incident, FIRST + 9)).toEqual({ first: FIRST, last });
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
