import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { stringify } from "yaml";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import { test as serving } from "../support/servers/fixtures.js";
import { BASE_CONFIG } from "../support/servers/project.js";

const test = serving.extend(
  "check",
  ({ directory }) =>
    async (config: object, ...flags: readonly string[]) => {
      const file = join(directory, "waybill.yaml");
      await writeFile(file, stringify(config));
      const { code, stdout, stderr } = await runInProcess(["config", "check", file, ...flags]);
      return { code, stdout: stdout.replace(file, "FILE"), stderr };
    },
);

test("waybill config check summarizes a valid file", async ({ check }) => {
  const summary = "FILE: valid; 2 projects, 2 apps, 2 access rules, 0 issuers\n";
  expect(await check(BASE_CONFIG)).toEqual({ code: 0, stdout: summary, stderr: "" });
  const { stdout } = await check({ projects: [{ id: "shop", number: "1" }] });
  expect(stdout).toBe("FILE: valid; 1 project, 0 apps, 0 access rules, 0 issuers\n");
});

test("waybill config check prints all problems of a file, like a server", async ({ check }) => {
  const { code, stdout, stderr } = await check({
    projects: [{ id: "shop", number: "1", color: "red" }],
    messagingData: { settleDelay: "soon" },
  });
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr.trimEnd().split("\n")).toEqual([
    "waybill: projects[0].color: is not a known key",
    "messagingData.settleDelay: must be a duration such as 90s, 30m or 1h",
  ]);
});

test("a project that the file does not define is a warning", async ({ check }) => {
  expect(await check({ access: [{ principal: "ada", projects: ["later"], role: "owner" }] })).toEqual({
    code: 0,
    stdout: "FILE: valid; 0 projects, 0 apps, 1 access rule, 0 issuers\n",
    stderr: "warning: access[0].projects[0]: there is no project later; the entry applies once it exists\n",
  });
});

test("waybill config check reads the files that a config names, unless --no-files is set", async ({
  check,
  directory,
}) => {
  const none = join(directory, "none");
  const config = {
    admin: { tokenFile: none },
    auth: {
      issuers: [
        { issuer: "a", introspectionUrl: "https://a.example", clientId: "a", clientSecretFile: none },
      ],
    },
    control: { engine: "postgres", url: "postgres://waybill@db.example/waybill", passwordFile: none },
    integrity: { attestation: { rootFile: none } },
    messagingData: {
      incidents: { webhooks: [{ name: "on-call", url: "https://b.example", secretFile: none }] },
    },
    store: { engine: "clickhouse", urls: ["https://c.example"], passwordFile: none },
    tls: { certificate: none, key: none },
  };
  const { code, stdout, stderr } = await check(config);
  expect([code, stdout]).toEqual([1, ""]);
  expect(
    stderr
      .replace("waybill: ", "")
      .trimEnd()
      .split("\n")
      .map((line) => line.split(": ")[0]),
  ).toEqual([
    "tls.certificate",
    "admin.tokenFile",
    "integrity.attestation.rootFile",
    "control.passwordFile",
    "store.passwordFile",
    "auth.issuers[0].clientSecretFile",
    "messagingData.incidents.webhooks[0].secretFile",
  ]);
  expect((await check(config, "--no-files")).code).toBe(0);
});
