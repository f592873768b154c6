import { WaybillClient } from "@waybill/client";
import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import type { AndroidIncidentJson } from "../../src/gen/waybill/messagingdata/v1beta1/incident_pb.js";
import { incidentsOf } from "../support/data/delivery-data.js";
import { faultyTraffic } from "../support/data/faulty-traffic.js";
import { entriesOnceThey, importBatch } from "../support/data/import.js";
import { auditEntries, REGISTRY_CONFIG } from "../support/data/registry.js";
import { send } from "../support/http/exchange.js";
import { test as serving } from "../support/servers/fixtures.js";
import { EDITOR } from "../support/servers/project.js";
import { TODAY } from "../support/today.js";

const DAYS = 42;
/** The traffic ends yesterday. */
const START = TODAY - DAYS;
const FALLS = START + 30;

/** An incident with its name and etag, which the server always sets. */
type Listed = AndroidIncidentJson & { readonly name: string; readonly etag: string };

const test = serving
  .override("config", REGISTRY_CONFIG)
  .extend("traffic", { scope: "file", auto: true }, async ({ server, editor }) => {
    const lines = faultyTraffic({
      appId: "falling",
      delivered: (_, day) => (day >= FALLS ? 0.36 : 0.9),
      ...{ startDay: START, days: DAYS, labels: ["promo"], messages: 200 },
    });
    for (const batch of lines) await importBatch(server, editor, batch);
    await entriesOnceThey(server, editor, "falling", ({ length }) => length === DAYS);
  })
  .extend("listed", ({ server, viewer }) => async (filter: string): Promise<readonly Listed[]> => {
    const target = `${incidentsOf("-")}?filter=${encodeURIComponent(filter)}`;
    const { text } = await send(server.messagingDataUrl, target, { token: viewer });
    return (JSON.parse(text) as { readonly incidents?: readonly Listed[] }).incidents ?? [];
  })
  .extend("incident", async ({ listed }): Promise<Listed> => {
    const [incident] = await listed("");
    if (incident === undefined) throw new Error("no incident was detected");
    return incident;
  })
  .extend(
    "change",
    ({ server, editor }) =>
      async (method: string, target: string, body: object, token = editor) => {
        const { status, text } = await send(server.messagingDataUrl, `/v1beta1/${target}`, {
          ...{ method, token, body: JSON.stringify(body) },
          headers: { "content-type": "application/json" },
        });
        return { status, text, incident: JSON.parse(text) as Listed };
      },
  );

describe("acknowledgements and notes", () => {
  test("are listed, filtered, audited and removed", async ({ server, incident, change, listed, viewer }) => {
    const { name, etag } = incident;
    const noted = await change("PATCH", `${name}?updateMask=note`, { note: "release 7.2", etag });
    expect(noted.incident).toMatchObject({ note: "release 7.2", notePrincipal: EDITOR, state: "OPEN" });
    const { incident: acknowledged } = await change("POST", `${name}:acknowledge`, {
      etag: noted.incident.etag,
    });
    expect(acknowledged).toMatchObject({ state: "ACKNOWLEDGED", acknowledgePrincipal: EDITOR });
    expect(await listed("state = ACKNOWLEDGED")).toEqual([acknowledged]);
    expect(await listed("state = OPEN")).toEqual([]);
    const { text } = await send(server.messagingDataUrl, `/v1beta1/${name.replace("/falling/", "/-/")}`, {
      token: viewer,
    });
    expect(JSON.parse(text)).toEqual(acknowledged);

    expect(await auditEntries(server, "method=AcknowledgeAndroidIncident")).toEqual([
      expect.objectContaining({
        principal: EDITOR,
        resource: name,
        etagBefore: noted.incident.etag,
        etagAfter: acknowledged.etag,
        changes: [{ field: "acknowledgePrincipal", after: JSON.stringify(EDITOR) }],
      }),
    ]);

    await change("PATCH", `${name}?updateMask=note`, { note: "" });
    expect((await change("POST", `${name}:reopen`, {})).incident).toEqual(incident);
  });

  test("need the editor role, a current etag and a known incident", async ({ incident, change, viewer }) => {
    const { name } = incident;
    expect((await change("POST", `${name}:acknowledge`, {}, viewer)).status).toBe(403);
    const outdated = await change("POST", `${name}:acknowledge`, { etag: "other" });
    expect([outdated.status, errorOf(outdated.text).reason]).toEqual([409, "ETAG_MISMATCH"]);
    expect((await change("POST", `${name.replace(/.$/, "g")}:acknowledge`, {})).status).toBe(404);
  });

  test("can be changed by the client", async ({ server, editor, incident }) => {
    const client = new WaybillClient({ messagingDataUrl: server.messagingDataUrl, token: editor });
    const { name, etag } = incident;
    const acknowledged = await client.incidents.acknowledge({ name, etag });
    expect(await client.incidents.get({ name })).toEqual(acknowledged);
    const { etag: current } = await client.incidents.update({ name, note: "known", etag: acknowledged.etag });
    await expect(client.incidents.reopen({ name, etag })).rejects.toMatchObject({ code: "ABORTED" });
    await client.incidents.update({ name, note: "", etag: current });
    expect(await client.incidents.reopen({ name })).toEqual(incident);
  });
});
