import { describe, expect } from "vitest";
import { errorOf, rejectionOf } from "../../src/api/testing/error-of.js";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import type { AndroidIncidentJson } from "../../src/gen/waybill/messagingdata/v1beta1/incident_pb.js";
import { civilDate, formatDay } from "../../src/model/day.js";
import { incidentsOf } from "../support/data/delivery-data.js";
import { faultyTraffic } from "../support/data/faulty-traffic.js";
import { entriesOnceThey, importBatch } from "../support/data/import.js";
import { auditEntries, REGISTRY_CONFIG } from "../support/data/registry.js";
import { send } from "../support/http/exchange.js";
import { test as serving } from "../support/http/grpc-test.js";
import { jsonCalls } from "../support/http/json-calls.js";
import { EDITOR, OTHER_PROJECT, PROJECT } from "../support/servers/project.js";
import { succeeding } from "../support/servers/succeeding-command.js";
import { TODAY } from "../support/today.js";

const DATE = { year: 2026, month: 11, day: 25 };
const RELEASE = { date: DATE, kind: "RELEASE", text: "Release 4.2" };
const NAME = new RegExp(`^projects/${PROJECT.number}/annotations/[0-9a-f-]{36}$`);

interface Resource {
  readonly name: string;
  readonly etag: string;
}

const test = serving
  .override("config", REGISTRY_CONFIG)
  .extend("call", ({ server, editor }) => jsonCalls(server.messagingDataUrl, editor))
  .extend("create", ({ call }) => async (body: object, project: string = PROJECT.id): Promise<Resource> => {
    const { status, text } = await call("POST", `projects/${project}/annotations`, body);
    expect([status, text]).toEqual([200, expect.any(String)]);
    return JSON.parse(text);
  });

describe("annotations", () => {
  test("can be created, read, changed and deleted", async ({ call, create, server }) => {
    const created = await create({ ...RELEASE, appId: "shop" });
    const { name, etag, ...fields } = created;
    expect(name).toMatch(NAME);
    const time = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(fields).toEqual({ ...RELEASE, appId: "shop", createTime: time, updateTime: time });
    expect(JSON.parse((await call("GET", name)).text)).toEqual(created);

    const change = { text: "Release 4.2.1", appId: "", etag };
    const changed = await call("PATCH", `${name}?updateMask=text,appId`, change);
    const { appId, ...whole } = JSON.parse(changed.text);
    expect(appId).toBeUndefined();
    expect(whole).toMatchObject({ ...RELEASE, text: "Release 4.2.1" });
    const outdated = await call("PATCH", `${name}?updateMask=text`, change);
    expect([outdated.status, errorOf(outdated.text).reason]).toEqual([409, "ETAG_MISMATCH"]);

    expect((await call("DELETE", `${name}?etag=${etag}`)).status).toBe(409);
    expect(await call("DELETE", `${name}?etag=${whole.etag}`)).toMatchObject({ status: 200, text: "{}" });
    for (const method of ["GET", "DELETE"]) {
      expect(rejectionOf(await call(method, name))).toEqual([404, "RESOURCE_NOT_FOUND"]);
    }

    expect(await auditEntries(server, `principal=${EDITOR}&pageSize=3`)).toMatchObject(
      ["DeleteAnnotation", "UpdateAnnotation", "CreateAnnotation"].map((method) => ({
        method,
        resource: name,
      })),
    );
  });

  test("are listed in pages, newest date first", async ({ call, create, viewer }) => {
    const days = [3, 9, 1, 9, 5];
    for (const day of days) await create({ ...RELEASE, date: { ...DATE, day } });
    const found: { readonly date: { readonly day: number }; readonly name: string }[] = [];
    for (let pageToken = "", pages = 0; pages === 0 || pageToken !== ""; pages++) {
      const query = `pageSize=2&pageToken=${encodeURIComponent(pageToken)}`;
      const { status, text } = await call(
        "GET",
        `projects/${PROJECT.id}/annotations?${query}`,
        undefined,
        viewer,
      );
      expect(status).toBe(200);
      const page = JSON.parse(text);
      found.push(...page.annotations);
      pageToken = page.nextPageToken ?? "";
    }
    expect(found.map(({ date }) => date.day)).toEqual([9, 9, 5, 3, 1]);
    for (const { name } of found) await call("DELETE", name);
  });

  test("can be read by viewers, and changed by editors, of their project", async ({
    call,
    create,
    viewer,
  }) => {
    const { name } = await create(RELEASE);
    const below = `projects/${PROJECT.id}/annotations`;
    expect((await call("GET", name, undefined, viewer)).status).toBe(200);
    expect((await call("POST", below, RELEASE, viewer)).status).toBe(403);
    expect((await call("PATCH", `${name}?updateMask=*`, RELEASE, viewer)).status).toBe(403);
    expect((await call("DELETE", name, undefined, viewer)).status).toBe(403);
    expect((await call("GET", `projects/${OTHER_PROJECT.id}/annotations`)).status).toBe(403);
    await call("DELETE", name);
  });

  test.for<[change: object, field: string]>([
    [{ text: "" }, "text"],
    [{ text: " " }, "text"],
    [{ text: "x".repeat(101) }, "text"],
    [{ text: "two\nlines" }, "text"],
    [{ text: "two\u2028lines" }, "text"],
    [{ text: "two\u2029paragraphs" }, "text"],
    [{ kind: undefined }, "kind"],
    [{ date: undefined }, "date"],
    [{ date: { year: 2026, month: 11 } }, "date"],
    [{ date: { year: 2026, month: 2, day: 29 } }, "date"],
    [{ appId: "-" }, "appId"],
    [{ appId: "." }, "appId"],
    [{ appId: "a/b" }, "appId"],
  ])("are rejected with %j", async ([change, field], { call }) => {
    const { status, text } = await call("POST", `projects/${PROJECT.id}/annotations`, {
      ...RELEASE,
      ...change,
    });
    expect([status, errorOf(text).reason]).toEqual([400, "INVALID_ANNOTATION"]);
    const { details } = JSON.parse(text).error;
    expect(details.at(-1).fieldViolations).toMatchObject([{ field }]);
  });

  test("reject a change that makes them invalid, and changes of output", async ({ call, create }) => {
    const { name } = await create(RELEASE);
    const invalid = await call("PATCH", `${name}?updateMask=text`, {});
    expect([invalid.status, errorOf(invalid.text).reason]).toEqual([400, "INVALID_ANNOTATION"]);
    const output = await call("PATCH", `${name}?updateMask=createTime`, RELEASE);
    expect([output.status, errorOf(output.text).reason]).toEqual([400, "OUTPUT_ONLY_FIELD"]);
    await call("DELETE", name);
  });

  test("are created and listed over gRPC", async ({ messagingData, editor, call }) => {
    const parent = `projects/${PROJECT.id}`;
    const request = { parent, annotation: { ...RELEASE, kind: 3 } };
    const { message } = await messagingData.unary<Resource>("CreateAnnotation", request, { token: editor });
    expect(message.name).toMatch(NAME);
    const { text } = await call("GET", `${parent}/annotations`);
    expect(JSON.parse(text).annotations).toMatchObject([{ name: message.name, kind: "OUTAGE" }]);
    await messagingData.unary("DeleteAnnotation", { name: message.name }, { token: editor });
  });
});

describe("waybill annotations", () => {
  test("creates, lists and deletes an annotation", async ({ server, editor }) => {
    const run = succeeding("annotations", server.messagingDataUrl, editor);
    const project = ["--project", PROJECT.id];
    const values = ["--date", "2026-11-25", "--kind", "campaign", "--text", "Black Friday", "--app", "shop"];
    const name = /^Created (\S+)\.\n$/.exec(await run("create", ...project, ...values))?.[1] ?? "";
    expect(name).toMatch(NAME);
    const [head, row] = (await run("list", ...project)).split("\n");
    expect(head).toMatch(/^date +kind +text +app +name$/);
    expect(row?.split(/ {2,}/)).toEqual(["2026-11-25", "campaign", "Black Friday", "shop", name]);
    expect(JSON.parse(await run("list", ...project, "--json"))).toMatchObject({ name, text: "Black Friday" });
    expect(await run("delete", name)).toBe(`Deleted ${name}.\n`);
    expect(await run("list", ...project, "--json")).toBe("");
  });
});

describe("incidents", () => {
  test("name the nearest annotation before their start", async ({ server, editor, call, create }) => {
    const days = 42;
    const startDay = TODAY - days;
    const falls = startDay + 30;
    const labels = ["a", "b", "c"];
    const delivered = (label: string, day: number) => (label === "a" && day >= falls ? 0.36 : 0.9);
    for (const lines of faultyTraffic({ appId: "falling", delivered, startDay, days, labels, messages: 200 }))
      await importBatch(server, editor, lines);
    await entriesOnceThey(server, editor, "falling", ({ length }) => length === days * labels.length);
    const nearest = async () => {
      const { text } = await send(server.messagingDataUrl, incidentsOf("falling"), { token: editor });
      const [incident] = JSON.parse(text).incidents as AndroidIncidentJson[];
      expect(incident?.startDate).toEqual(civilDate(falls));
      return incident?.nearestAnnotation;
    };
    expect(await nearest()).toBeUndefined();
    const at = (day: number, text: string, appId = "") =>
      create({ kind: "RELEASE", date: civilDate(day), text, appId });
    await at(falls - 3, "too early");
    await at(falls + 1, "too late");
    await at(falls, "of another app", "other");
    expect(await nearest()).toBeUndefined();
    await at(falls - 2, "two days before");
    const { name } = await at(falls - 1, "of the app", "falling");
    await at(falls - 1, "of the project");
    expect(await nearest()).toEqual({
      name,
      date: civilDate(falls - 1),
      kind: "RELEASE",
      text: "of the app",
      appId: "falling",
    });
    const flags = ["--server", server.messagingDataUrl, "--token", editor, "--project", PROJECT.id];
    const { stdout } = await runInProcess(["incidents", "--app", "falling", ...flags]);
    expect(stdout).toContain(`of the app (${formatDay(falls - 1)})`);
    await call("DELETE", name);
    expect(await nearest()).toMatchObject({ text: "of the project" });
  });
});
