import { expect, it, test } from "vitest";
import type { AndroidIncidentJson } from "#src/gen/waybill/messagingdata/v1beta1/incident_pb.js";
import { inboxIncidentOf } from "./inbox-incident.js";

const JSON_OF: AndroidIncidentJson = {
  appId: "app",
  wholeApp: true,
  startDate: { year: 2026, month: 11, day: 20 },
  name: "projects/7/androidApps/app/incidents/1d",
  state: "OPEN",
  etag: "e",
};

it("inboxIncidentOf reads an incident without acknowledgement and note", () => {
  expect(inboxIncidentOf(JSON_OF)).toMatchObject({
    name: JSON_OF.name,
    state: "OPEN",
    etag: "e",
    acknowledged: undefined,
    note: undefined,
    deliveries: [],
  });
});

it("inboxIncidentOf reads who acknowledged an incident, and the note", () => {
  const json: AndroidIncidentJson = {
    ...JSON_OF,
    state: "ACKNOWLEDGED",
    acknowledgePrincipal: "ada",
    acknowledgeTime: "1970-01-01T00:00:01Z",
    note: "known",
    notePrincipal: "bob",
    noteTime: "1970-01-01T00:00:02Z",
  };
  expect(inboxIncidentOf(json)).toMatchObject({
    state: "ACKNOWLEDGED",
    acknowledged: { principal: "ada", time: 1_000 },
    note: { text: "known", principal: "bob", time: 2_000 },
  });
});

test.each([
  ["incident.started", "WAITING", "on-call: start waiting"],
  ["incident.ended", "DELIVERED", "on-call: end delivered"],
  ["incident.withdrawn", "GIVEN_UP", "on-call: withdrawal not delivered for seven days, not sent again"],
] as const)("inboxIncidentOf describes the message %s with the status %s", (type, status, text) => {
  const webhookDeliveries = [{ webhook: "on-call", type, status }];
  expect(inboxIncidentOf({ ...JSON_OF, webhookDeliveries }).deliveries).toEqual([text]);
});
