import { create, toJson } from "@bufbuild/protobuf";
import { FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import { beforeEach, describe, expect, it, test } from "vitest";
import { ApiError } from "../../api/api-error.js";
import { callContext, resourceName } from "../../api/testing/call-context.js";
import { projectCaller } from "../../api/testing/project-caller.js";
import {
  type AndroidIncident,
  type AndroidIncidentJson,
  AndroidIncidentSchema,
} from "../../gen/waybill/messagingdata/v1beta1/incident_pb.js";
import {
  AcknowledgeAndroidIncidentRequestSchema,
  GetAndroidIncidentRequestSchema,
  ReopenAndroidIncidentRequestSchema,
  UpdateAndroidIncidentRequestSchema,
} from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { MAX_TRIAGED_INCIDENTS } from "../../limits/data-limits.js";
import { systemClock } from "../../model/clock.js";
import type { AppIncident } from "../list/app-incident.js";
import { IncidentIds } from "../list/incident-ids.js";
import { appIncident } from "../testing/app-incident.js";
import { MemoryRecords } from "../testing/memory-records.js";
import type { VolumeIncident } from "../volume/volume-incident.js";
import { AUDITED_TRIAGE, IncidentTriage } from "./incident-triage.js";
import { triageHandlers } from "./triage-handlers.js";

const PROJECT = { number: "7" };
const CLOCK = { ...systemClock, wall: () => Date.UTC(2026, 10, 22, 9) };

const VOLUME = {
  appId: "app",
  label: undefined,
  startDay: 0,
  usualMessageCount: 100,
  usualLowMessageCount: 80,
  usualHighMessageCount: 120,
  observedMessageCount: 30,
  excessMessageCount: 70,
  confidence: 1,
  isOfProject: false,
};
const FALL: VolumeIncident & { appId: string } = { ...VOLUME, outcome: "fewerAccepted", kind: "fall" };

let records: MemoryRecords;
let listed: readonly AppIncident[];
beforeEach(() => {
  records = new MemoryRecords();
  listed = [appIncident()];
});

const handlers = () =>
  triageHandlers({
    incidents: { of: async () => listed },
    ids: new IncidentIds(new MemoryRecords()),
    triage: new IncidentTriage(records, CLOCK),
    webhooks: [
      {
        webhook: "on-call",
        notified: async () => {
          const [incident = appIncident()] = await new IncidentIds(new MemoryRecords()).of("7", listed);
          return [
            {
              key: "k",
              incident: { id: "", ...incident },
              state: "started",
              change: 1,
              since: 0,
              delivered: "started",
            },
          ];
        },
      },
    ],
    annotations: { list: async () => [] },
    lastListedDay: () => 5,
  });

const contextOf = (name: string, principal = "ada@example.com") =>
  callContext(projectCaller(PROJECT, principal), { resource: resourceName(name) });

const json = async (incident: Promise<AndroidIncident>): Promise<AndroidIncidentJson> =>
  toJson(AndroidIncidentSchema, await incident);

async function nameOfFirst(): Promise<string> {
  const [incident] = await new IncidentIds(new MemoryRecords()).of("7", listed);
  return `projects/7/androidApps/${incident?.appId}/incidents/${incident?.id}`;
}

const get = (name: string) =>
  json(handlers().get(create(GetAndroidIncidentRequestSchema, { name }), contextOf(name)));
const acknowledge = (name: string, etag = "", principal?: string) =>
  json(
    handlers().acknowledge(
      create(AcknowledgeAndroidIncidentRequestSchema, { name, etag }),
      contextOf(name, principal),
    ),
  );
const reopen = (name: string, etag = "") =>
  json(handlers().reopen(create(ReopenAndroidIncidentRequestSchema, { name, etag }), contextOf(name)));
const update = (name: string, note: string, { etag = "", paths = ["note"] } = {}) =>
  json(
    handlers().update(
      create(UpdateAndroidIncidentRequestSchema, {
        androidIncident: create(AndroidIncidentSchema, { name, note, etag }),
        updateMask: create(FieldMaskSchema, { paths }),
      }),
      contextOf(name),
    ),
  );

const reasonOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "none",
    (error: unknown) => (error instanceof ApiError ? error.reason : String(error)),
  );

describe("triageHandlers", () => {
  it("return an incident with its state and its webhook deliveries", async () => {
    const name = await nameOfFirst();
    expect(await get(name)).toMatchObject({
      name,
      state: "OPEN",
      webhookDeliveries: [
        { webhook: "on-call", type: "incident.started", status: "DELIVERED", time: "1970-01-01T00:00:00Z" },
      ],
    });
  });

  it("find an incident of the app -", async () => {
    const name = await nameOfFirst();
    expect((await get(name.replace("/app/", "/-/"))).name).toBe(name);
  });

  it("record who acknowledged an incident first, and when", async () => {
    const name = await nameOfFirst();
    await acknowledge(name);
    const again = await acknowledge(name, "", "bob@example.com");
    expect(again).toMatchObject({
      state: "ACKNOWLEDGED",
      acknowledgePrincipal: "ada@example.com",
      acknowledgeTime: "2026-11-22T09:00:00Z",
    });
    expect(await get(name)).toEqual(again);
  });

  it("remove an acknowledgement, and keep the note", async () => {
    const name = await nameOfFirst();
    await update(name, "a new release");
    await acknowledge(name);
    const opened = await reopen(name);
    expect(opened).toMatchObject({
      state: "OPEN",
      note: "a new release",
      notePrincipal: "ada@example.com",
      noteTime: "2026-11-22T09:00:00Z",
    });
    expect(opened.acknowledgePrincipal).toBeUndefined();
  });

  it("keep no record for an incident without acknowledgement and note", async () => {
    const name = await nameOfFirst();
    const { etag } = await get(name);
    await update(name, "first");
    const { etag: after, noteTime } = await update(name, "");
    expect([records.stored.size, noteTime, after]).toEqual([0, undefined, etag]);
  });

  it("change nothing if the note is the same, or the incident is open", async () => {
    const name = await nameOfFirst();
    const { etag } = await update(name, "same");
    expect((await update(name, "same")).etag).toBe(etag);
    expect((await reopen(name)).etag).toBe(etag);
  });

  test.each([
    ["acknowledgement", (name: string, etag: string) => acknowledge(name, etag)],
    ["removal of an acknowledgement", (name: string, etag: string) => reopen(name, etag)],
    ["change of a note", (name: string, etag: string) => update(name, "other", { etag })],
  ])("reject an %s with an etag from before another change", async (_, change) => {
    const name = await nameOfFirst();
    const { etag = "" } = await get(name);
    await update(name, "known");
    expect(await reasonOf(change(name, etag))).toBe("ETAG_MISMATCH");
    const { etag: current = "" } = await get(name);
    expect(await reasonOf(change(name, current))).toBe("none");
  });

  it("keep an acknowledgement after the end", async () => {
    const name = await nameOfFirst();
    await acknowledge(name);
    listed = [appIncident({ endDay: 3 })];
    expect(await get(name)).toMatchObject({ state: "ENDED", acknowledgePrincipal: "ada@example.com" });
  });

  it("keep an acknowledgement while the incident is withdrawn", async () => {
    const name = await nameOfFirst();
    await acknowledge(name);
    listed = [];
    expect(await reasonOf(get(name))).toBe("RESOURCE_NOT_FOUND");
    listed = [appIncident()];
    expect((await get(name)).state).toBe("ACKNOWLEDGED");
  });

  it("open an acknowledged fall again when it becomes a silence", async () => {
    listed = [FALL];
    const name = await nameOfFirst();
    await acknowledge(name);
    listed = [{ ...FALL, kind: "silence" }];
    const opened = await get(name);
    expect([opened.state, opened.acknowledgePrincipal]).toEqual(["OPEN", undefined]);
    await acknowledge(name, "", "bob@example.com");
    expect((await get(name)).acknowledgePrincipal).toBe("bob@example.com");
    listed = [FALL];
    expect((await get(name)).state).toBe("ACKNOWLEDGED");
  });

  test.each([
    ["a note with a control character", "a\u0000", {}, "INVALID_NOTE"],
    ["a long note", "é".repeat(1_001), {}, "INVALID_NOTE"],
    ["an empty mask", "a", { paths: [] }, "UPDATE_MASK_MISSING"],
    ["a change of the state", "a", { paths: ["state"] }, "OUTPUT_ONLY_FIELD"],
    ["a change of the app", "a", { paths: ["app_id"] }, "IMMUTABLE_FIELD"],
  ])("reject %s", async (_, note, options, reason) => {
    expect(await reasonOf(update(await nameOfFirst(), note, options))).toBe(reason);
  });

  it("accept a note with line breaks, of 1,000 characters", async () => {
    const note = `a\n${"é".repeat(998)}`;
    expect((await update(await nameOfFirst(), note)).note).toBe(note);
  });

  it("reject an unknown incident", async () => {
    expect(await reasonOf(acknowledge("projects/7/androidApps/app/incidents/0"))).toBe("RESOURCE_NOT_FOUND");
  });

  it("reject another acknowledgement if the project has the maximum number", async () => {
    const name = await nameOfFirst();
    await update(name, "one of them");
    for (let index = 1; index < MAX_TRIAGED_INCIDENTS; index++) {
      const key = `7/app/${index}`;
      records.stored.set(`incident-triage/${key}`, { key, value: {}, revision: 1 });
    }
    expect(await reasonOf(acknowledge(name))).toBe("none");
    listed = [appIncident({ label: "promo" })];
    expect(await reasonOf(acknowledge(await nameOfFirst()))).toBe("TOO_MANY_TRIAGED_INCIDENTS");
  });
});

it("AUDITED_TRIAGE shows who acknowledged an incident, and its note", () => {
  const value = {
    acknowledgement: { principal: "ada", time: 1 },
    note: { text: "known", principal: "bob", time: 2 },
  };
  expect(AUDITED_TRIAGE.resourceOf("7/1:5:android:aa/1d")).toBe(
    "projects/7/androidApps/1:5:android:aa/incidents/1d",
  );
  expect(AUDITED_TRIAGE.fieldsOf(value)).toEqual({ acknowledgePrincipal: "ada", note: "known" });
});
