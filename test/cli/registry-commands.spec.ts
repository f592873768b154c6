import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { describe, expect } from "vitest";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import { REGISTRY_CONFIG, ROOT } from "../support/data/registry.js";
import { test as serving } from "../support/servers/fixtures.js";
import { IOS_APP, PROJECT } from "../support/servers/project.js";
import { WAYBILL } from "../support/servers/waybill-command.js";

const ADA = "user:ada@example.com";
const NUMBER = /^\d{6,}$/;

const test = serving
  .override("config", REGISTRY_CONFIG)
  .extend("owner", { scope: "file" }, ({ server }) => server.token(ROOT))
  /** Returns a command line with the address and the owner's token. */
  .extend("line", ({ server, owner }) => (...args: readonly string[]): string[] => [
    ...args,
    ...["--server", server.registryUrl, "--token", owner],
  ])
  /** A command's stdout. Requires that stderr is empty. */
  .extend("output", ({ line }) => async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await runInProcess(line(...args));
    expect([code, stderr]).toEqual([0, ""]);
    return stdout;
  })
  /** The JSON lines that a command prints. */
  .extend("json", ({ output }) => async (...args: readonly string[]): Promise<Resource[]> => {
    const lines = (await output(...args, "--json")).split("\n").slice(0, -1);
    return lines.map((text) => JSON.parse(text) as Resource);
  })
  /** The line with which a command explains its failure. */
  .extend("failure", ({ line }) => async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await runInProcess(line(...args));
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    return stderr.trimEnd();
  });

type Resource = Readonly<Record<string, unknown>>;

describe("waybill projects", () => {
  test("creates, renames, lists, deletes and restores a project", async ({ output, json }) => {
    const [created] = await json("projects", "create", "shop-one", "--display-name", "Shop one");
    expect(created).toMatchObject({ projectId: "shop-one", name: "Shop one" });
    expect(created?.projectNumber).toMatch(NUMBER);
    expect(await output("projects", "rename", "shop-one", "Shop 1")).toBe(
      "Renamed project shop-one to Shop 1.\n",
    );
    const table = (await output("projects", "list")).split("\n");
    expect(table[0]).toMatch(/^id +number +name +state +defined in$/);
    expect(table.find((row) => row.startsWith("shop-one"))?.split(/ {2,}/)).toEqual([
      "shop-one",
      created?.projectNumber,
      "Shop 1",
      "active",
      "registry",
    ]);
    expect(await output("projects", "delete", "shop-one")).toMatch(/^Deleted project shop-one\./);
    expect((await json("projects", "list")).map(({ projectId }) => projectId)).not.toContain("shop-one");
    expect(await json("projects", "list", "--deleted")).toContainEqual(
      expect.objectContaining({ projectId: "shop-one", state: "DELETED" }),
    );
    expect(await output("projects", "undelete", "shop-one")).toBe("Restored project shop-one.\n");
    expect((await json("projects", "list")).map(({ projectId }) => projectId)).toContain("shop-one");
  });

  test("explains an invalid id, and rejects a change to a project in the configuration file", async ({
    failure,
  }) => {
    expect(await failure("projects", "create", "Shop")).toContain("projectId");
    expect(await failure("projects", "delete", PROJECT.id)).toContain("The configuration file defines");
  });
});

describe("waybill apps", () => {
  test("registers, changes, lists, removes and restores apps", async ({ output, json }) => {
    await output("projects", "create", "shop-apps");
    const inProject = ["--project", "shop-apps"];
    const create = (...flags: string[]) => json("apps", "create", ...inProject, "--platform", ...flags);
    const [ios] = await create("ios", "--bundle-id", "com.example.shop", "--team-id", "A1B2C3D4E5");
    const [android] = await create("android", "--package-name", "com.example.shop");
    const [web] = await create("web", "--app-url", "https://a.example", "--app-url", "https://b.example");
    expect(ios).toMatchObject({ bundleId: "com.example.shop", teamId: "A1B2C3D4E5" });
    expect(android).toMatchObject({ packageName: "com.example.shop" });
    expect(web).toMatchObject({ appUrls: ["https://a.example", "https://b.example"] });
    const app = String(ios?.appId);
    const [changed] = await json("apps", "update", ...inProject, "--app", app, "--display-name", "Shop");
    expect(changed).toMatchObject({ appId: app, displayName: "Shop", teamId: "A1B2C3D4E5" });
    const listed = async (...flags: string[]) =>
      (await json("apps", "list", ...inProject, ...flags)).map(({ platform }) => platform);
    expect((await listed()).sort()).toEqual(["ANDROID", "IOS", "WEB"]);
    expect(await listed("--platform", "web")).toEqual(["WEB"]);
    expect(await output("apps", "list", ...inProject)).toMatch(
      / ios +com\.example\.shop +Shop +active +registry\n/,
    );
    expect(await output("apps", "remove", ...inProject, "--app", app)).toMatch(/^Removed app /);
    expect((await listed()).sort()).toEqual(["ANDROID", "WEB"]);
    expect((await listed("--deleted")).sort()).toEqual(["ANDROID", "IOS", "WEB"]);
    expect(await output("apps", "undelete", ...inProject, "--app", app)).toBe(`Restored app ${app}.\n`);
    expect((await listed()).sort()).toEqual(["ANDROID", "IOS", "WEB"]);
  });

  test("explains invalid fields, and rejects changes to apps in the configuration file", async ({
    failure,
  }) => {
    const target = ["--project", PROJECT.id];
    expect(await failure("apps", "create", ...target, "--platform", "ios")).toContain("bundleId");
    expect(await failure("apps", "update", ...target, "--app", IOS_APP)).toContain("nothing to change");
    expect(await failure("apps", "update", ...target, "--app", IOS_APP, "--display-name", "Shop")).toContain(
      "The configuration file defines",
    );
  });
});

describe("waybill access", () => {
  test("grants and revokes roles", async ({ output, json }) => {
    await output("projects", "create", "shop-access");
    const inProject = ["--project", "shop-access"];
    const grant = ["access", "grant", ...inProject, "--role", "editor", ADA];
    expect(await output(...grant)).toBe("Granted roles/editor on shop-access.\n");
    expect(await output(...grant)).toMatch(/^Nothing to change/);
    expect(await json("access", "list", ...inProject)).toContainEqual({
      role: "roles/editor",
      member: ADA,
      provisionedByFile: false,
    });
    expect(await output("access", "list", ...inProject)).toContain(`roles/editor  ${ADA}   registry\n`);
    expect(await output("access", "list", "--project", PROJECT.id)).toMatch(
      / user:editor@example\.com +file\n/,
    );
    expect(await output("access", "revoke", ...inProject, ADA)).toBe("Revoked all roles on shop-access.\n");
    expect(await json("access", "list", ...inProject)).not.toContainEqual(
      expect.objectContaining({ member: ADA }),
    );
  });

  test("loses no grant when several are made at the same time", async ({ output, json }) => {
    await output("projects", "create", "shop-grants");
    const members = Array.from({ length: 6 }, (_, index) => `user:person-${index}@example.com`);
    const inProject = ["--project", "shop-grants"];
    await Promise.all(
      members.map((member) => output("access", "grant", ...inProject, "--role", "viewer", member)),
    );
    const rows = await json("access", "list", ...inProject);
    expect(rows.filter(({ role }) => role === "roles/viewer").map(({ member }) => member)).toEqual(members);
  });

  test("explains an invalid member", async ({ output, failure }) => {
    await output("projects", "create", "shop-members");
    const grant = ["access", "grant", "--project", "shop-members", "--role", "viewer"];
    expect(await failure(...grant, "allUsers")).toContain("allUsers is not allowed");
  });
});

describe("waybill audit", () => {
  test("prints and filters changes, newest first", async ({ output, json }) => {
    await output("projects", "create", "shop-audit");
    await output("projects", "rename", "shop-audit", "Shop audit");
    const inProject = ["--project", "shop-audit"];
    const entries = await json("audit", ...inProject);
    expect(entries[0]).toMatchObject({
      method: "UpdateProject",
      principal: ROOT,
      changes: [{ field: "displayName", before: '"shop-audit"', after: '"Shop audit"' }],
    });
    expect(entries.at(-1)).toMatchObject({ method: "CreateProject" });
    const updates = await json("audit", "--method", "UpdateProject", "--principal", ROOT);
    expect(updates).toContainEqual(entries[0]);
    expect(updates.every(({ method }) => method === "UpdateProject")).toBe(true);
    expect(await json("audit", ...inProject, "--until", String(entries.at(-1)?.time))).toEqual([]);
    expect(await json("audit", ...inProject, "--since", String(entries.at(-1)?.time))).toEqual(entries);
    expect(await output("audit", ...inProject)).toContain('displayName "shop-audit" → "Shop audit"');
  });

  test("prints new changes as they arrive, oldest first", async ({ output, line }) => {
    await output("projects", "create", "shop-follow");
    const flags = ["audit", "--project", "shop-follow", "--follow", "--since", "2020-01-01T00:00:00Z"];
    const child = spawn(process.execPath, [WAYBILL, ...line(...flags)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      const methods: unknown[] = [];
      for await (const text of createInterface({ input: child.stdout })) {
        const { method } = JSON.parse(text) as Resource;
        if (methods.length === 0) await output("projects", "rename", "shop-follow", "Shop 2");
        methods.push(method);
        if (method === "UpdateProject") break;
      }
      expect(methods[0]).toBe("CreateProject");
      expect(methods.at(-1)).toBe("UpdateProject");
    } finally {
      child.kill();
    }
  });
});
