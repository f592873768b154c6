import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { testDirectory } from "../../../test/support/test-directory.js";
import type { EveryProjectCaller, ProjectCaller } from "../../api/caller.js";
import { callContext } from "../../api/testing/call-context.js";
import { projectCaller } from "../../api/testing/project-caller.js";
import type { EmbeddedRecords } from "../../control/embedded/embedded-records.js";
import { type HistoryEntry, type HistoryRange, RECORD_KINDS } from "../../control/records.js";
import { testRecords } from "../../control/testing/test-records.js";
import { Role } from "../../gen/waybill/auth/v1/authorization_pb.js";
import { type AuditEntry, ListAuditEntriesRequestSchema } from "../../gen/waybill/registry/v1/registry_pb.js";
import { PageTokens } from "../../paging/page-tokens.js";
import { policyKey, projectKey, recordEtag } from "../entries.js";
import { Registry } from "../registry.js";
import { RegistryChanges } from "../registry-changes.js";
import { AUDITED_REGISTRY, auditHandler } from "./audit-log.js";

const NOTE = { principal: "ada@example.com", issuer: "issuer", network: "192.0.2.1", method: "SetIamPolicy" };
const KIND = RECORD_KINDS.registry;

let records: EmbeddedRecords;
let registry: Registry;
let now: number;
beforeEach(async () => {
  now = 1_000_000;
  records = await testRecords(await testDirectory(), { wall: () => now, monotonic: () => now });
  const projects = ["7", "8"].map((number) => ({ id: `project-${number}`, number, apps: [] }));
  const access = [
    { principal: "root", projects: ["*"], role: Role.OWNER },
    { principal: "owner", projects: ["7"], role: Role.OWNER },
    { principal: "viewer", projects: ["8"], role: Role.VIEWER },
  ];
  registry = await Registry.open(records, { projects, access }, 0);
});

type Values = MessageInitShape<typeof ListAuditEntriesRequestSchema>;

const everyProject = (name: string): EveryProjectCaller => ({
  ...projectCaller({}, name),
  kind: "everyProject",
  projectsAfter: () => [],
});
const seven = projectCaller({ id: "project-7", number: "7" });

async function page(values: Values, caller: ProjectCaller | EveryProjectCaller = seven) {
  const tokens = new PageTokens({ key: Buffer.alloc(32, 1), lenient: false, now: () => now });
  const changes = new RegistryChanges({
    registry,
    clock: { wall: () => now, monotonic: () => now },
    purgeAfter: 1,
  });
  const list = auditHandler({ registry, tokens, changes }, [AUDITED_REGISTRY]);
  return list(create(ListAuditEntriesRequestSchema, values), callContext(caller));
}

/** Reads all pages. Calls `between` after each. */
async function all(
  values: Values,
  {
    caller,
    between = async () => {},
  }: { caller?: EveryProjectCaller; between?: () => Promise<unknown> } = {},
): Promise<readonly AuditEntry[]> {
  const entries: AuditEntry[] = [];
  for (let pageToken = ""; ; ) {
    const { auditEntries, nextPageToken } = await page({ ...values, pageToken }, caller);
    entries.push(...auditEntries);
    if (nextPageToken === "") return entries;
    pageToken = nextPageToken;
    await between();
  }
}

const set = (project: string, viewer: string, note: object = NOTE) => {
  const value = { bindings: [{ role: "roles/viewer", members: [`user:${viewer}`] }] };
  return records.change([{ kind: KIND, key: policyKey(project), value, note: { ...note } }]);
};
/** Returns the viewers that entries have added. */
const viewers = (entries: readonly AuditEntry[]) =>
  entries.map(({ changes }) => /user:([^"]+)/.exec(changes[0]?.after ?? "")?.[1]);

describe("audit entries", () => {
  it("have author, time, place, resource, etags, and the changed fields before and after", async () => {
    const value = { id: "new-project", displayName: "New", createTime: now };
    const key = projectKey("9");
    const first = await records.change([{ kind: KIND, key, value, note: { ...NOTE } }]);
    const etagBefore = recordEtag(key, Number(first));
    now += 1_500;
    const deletion = { ...value, deleteTime: now, purgeTime: now + 1 };
    const second = await records.change([
      { kind: KIND, key, value: deletion, note: { ...NOTE, etagBefore } },
    ]);
    const caller = projectCaller({ number: "9" });
    const { auditEntries, nextPageToken } = await page({}, caller);
    expect(nextPageToken).toBe("");
    const common = {
      principal: NOTE.principal,
      issuer: NOTE.issuer,
      remoteAddress: NOTE.network,
      method: NOTE.method,
      resource: "projects/9",
    };
    expect(auditEntries).toMatchObject([
      {
        ...common,
        name: expect.stringMatching(/^projects\/9\/auditEntries\/\d+-/),
        time: timestampFromMs(now),
        etagBefore,
        etagAfter: recordEtag(key, Number(second)),
        changes: [
          { field: "deleteTime", before: "", after: '"1970-01-01T00:16:41.500Z"' },
          { field: "purgeTime", before: "", after: '"1970-01-01T00:16:41.501Z"' },
        ],
      },
      {
        ...common,
        etagBefore: "",
        etagAfter: etagBefore,
        changes: [
          { field: "displayName", before: "", after: '"New"' },
          { field: "id", before: "", after: '"new-project"' },
        ],
      },
    ]);
    expect(new Set(auditEntries.map(({ name }) => name)).size).toBe(2);
  });

  it("are listed in pages without loss or duplicates while others are added", async () => {
    for (let index = 0; index < 25; index++) await set("7", `v${index}@x`);
    let added = 100;
    const listed = await all({ pageSize: 4 }, { between: () => set("7", `v${added++}@x`) });
    expect(viewers(listed)).toEqual(Array.from({ length: 25 }, (_, index) => `v${24 - index}@x`));
  });

  it("can be filtered by principal, method and time, also in pages", async () => {
    for (let index = 0; index < 12; index++) {
      now = 10_000 + 1_000 * index;
      const principal = index % 2 === 0 ? "even" : "odd";
      await set("7", `v${index}@x`, {
        ...NOTE,
        principal,
        method: index % 3 === 0 ? "CreateProject" : "SetIamPolicy",
      });
    }
    const ofBoth = { principal: "even", method: "SetIamPolicy", pageSize: 1 };
    expect(viewers(await all(ofBoth))).toEqual(["v10@x", "v8@x", "v4@x", "v2@x"]);
    const between = { startTime: timestampFromMs(14_000), endTime: timestampFromMs(18_000) };
    expect(viewers(await all({ ...ofBoth, ...between }))).toEqual(["v4@x"]);
    expect(viewers(await all({ ...between, pageSize: 2 }))).toEqual(["v7@x", "v6@x", "v5@x", "v4@x"]);
    expect(await all({ principal: "nobody" })).toEqual([]);
    expect(await all({ startTime: timestampFromMs(99_999) })).toEqual([]);
  });

  it("are filtered by the exact time, to the nanosecond", async () => {
    now = 20_000;
    await set("7", "v@x");
    const after = { ...timestampFromMs(now), nanos: 1 };
    expect(await all({ startTime: timestampFromMs(now), endTime: after })).toHaveLength(1);
    expect(await all({ startTime: after })).toEqual([]);
    expect(await all({ endTime: timestampFromMs(now) })).toEqual([]);
  });

  it.each([
    { seconds: 253_402_300_800n, nanos: 0 },
    { seconds: -(2n ** 63n), nanos: 0 },
    { seconds: 0n, nanos: -1 },
    { seconds: 0n, nanos: 1_000_000_000 },
  ])("reject the invalid time %o", async (time) => {
    for (const field of ["startTime", "endTime"]) {
      const violations = [expect.objectContaining({ field })];
      await expect(page({ [field]: time })).rejects.toMatchObject({
        reason: "INVALID_PARAMETER",
        violations,
      });
    }
  });

  it("include entries of processes with a slow or fast clock", async () => {
    for (const [index, time] of [50_000, 20_000, 50_000].entries()) {
      now = time;
      await set("7", `v${index}@x`);
    }
    expect(viewers(await all({ startTime: timestampFromMs(40_000) }))).toEqual(["v2@x", "v0@x"]);
  });

  it("are visible in their own project, and across projects only to owners", async () => {
    await set("7", "a@x");
    await set("8", "b@x");
    await set("77", "c@x");
    expect(viewers(await all({}))).toEqual(["a@x"]);
    expect(viewers(await all({}, { caller: everyProject("owner") }))).toEqual(["a@x"]);
    for (const nobody of ["viewer", "no-role"])
      expect(await all({}, { caller: everyProject(nobody) })).toEqual([]);
    // The last change belongs to a project that no longer exists.
    expect(viewers(await all({}, { caller: everyProject("root") }))).toEqual(["c@x", "b@x", "a@x"]);
  });

  it("are returned in pages that end early if values are long", async () => {
    const members = Array.from({ length: 1_500 }, (_, index) => `user:${"m".repeat(20)}${index}@example.com`);
    const value = { bindings: [{ role: "roles/viewer", members }] };
    const key = policyKey("7");
    await Promise.all(
      Array.from({ length: 60 }, () => records.change([{ kind: KIND, key, value, note: { ...NOTE } }])),
    );
    const { auditEntries, nextPageToken } = await page({ pageSize: 1_000 });
    expect(auditEntries.length).toBeLessThan(60);
    expect(nextPageToken).not.toBe("");
    expect(await all({ pageSize: 1_000 })).toHaveLength(60);
  });

  it("are returned in pages that end early if few of many entries match", async () => {
    const total = 25_000;
    const many: HistoryEntry[] = Array.from({ length: total }, (_, index) => {
      const project = index % 9_000 === 0 ? "7" : "8";
      return {
        kind: KIND.name,
        key: policyKey(project),
        revision: total - index,
        time: 1,
        value: { bindings: [] },
      };
    });
    const history = async ({ after, limit }: HistoryRange) => {
      const start = after === undefined ? 0 : total - after.revision + 1;
      return many.slice(start, start + limit);
    };
    const reads = vi.spyOn(records, "history").mockImplementation(history);
    const { auditEntries, nextPageToken } = await page({}, everyProject("owner"));
    expect([auditEntries.length, nextPageToken === ""]).toEqual([2, false]);
    expect(reads.mock.calls.length).toBe(100);
    expect(await all({}, { caller: everyProject("owner") })).toHaveLength(3);
    expect(await all({ pageSize: 1 }, { caller: everyProject("owner") })).toHaveLength(3);
  });

  it("reject a page token of another project or with another filter", async () => {
    for (let index = 0; index < 3; index++) await set("7", `v${index}@x`);
    const { nextPageToken: pageToken } = await page({ pageSize: 1 });
    const mismatch = expect.objectContaining({ reason: "PAGE_TOKEN_MISMATCH" });
    await expect(page({ pageSize: 1, pageToken }, projectCaller({ number: "8" }))).rejects.toEqual(mismatch);
    await expect(page({ pageSize: 1, pageToken, principal: "a" })).rejects.toEqual(mismatch);
    await expect(page({ pageSize: 1, pageToken }, everyProject("root"))).rejects.toEqual(mismatch);
    await expect(page({ pageSize: -1 })).rejects.toMatchObject({ reason: "INVALID_PAGE_SIZE" });
  });
});
