import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { stringify } from "yaml";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import { nameOf, patch } from "../support/data/integrity.js";
import { it, test } from "../support/servers/fixtures.js";
import { BASE_CONFIG, EDITOR, IOS_APP, OTHER_PROJECT, PROJECT } from "../support/servers/project.js";
import { type Server, startServer } from "../support/servers/server.js";

const OTHER_EDITOR = "other\u001b[31m-editor@example.com";
const config = {
  projects: [
    {
      ...PROJECT,
      apps: [{ id: IOS_APP }, { id: "app-7d", appAttestConfig: { tokenTtl: "604800s" } }],
    },
    { ...OTHER_PROJECT, apps: [{ id: IOS_APP }] },
  ],
  access: [
    ...BASE_CONFIG.access,
    { principal: OTHER_EDITOR, projects: [PROJECT.id, OTHER_PROJECT.id], role: "editor" },
  ],
};

let place: string;
let server: Server;
test.beforeAll(async ({ sharedDirectory }) => {
  place = sharedDirectory;
  server = await startServer(place, config, ["--only", "integrity"]);
  const [editor, other] = [await server.token(EDITOR), await server.token(OTHER_EDITOR)];
  await patch(server, editor, IOS_APP, { tokenTtl: "7200s" });
  await patch(server, editor, "app-7d", { tokenTtl: "1800.5s" }, { query: "updateMask=*" });
  await patch(server, other, IOS_APP, {});
  await patch(server, other, IOS_APP, { tokenTtl: "1s" });
  await patch(server, other, "nobody", { tokenTtl: "7200s" });
});
test.afterAll(() => server.stop());

const history = (...args: string[]) =>
  runInProcess(["config", "history", "--data-dir", server.dataDir, ...args]);

/** Every field of a change except its time. */
const CHANGES = [
  {
    principal: EDITOR,
    name: nameOf(IOS_APP),
    revision: 1,
    updateMask: "tokenTtl",
    tokenTtl: "7200s",
    previousTokenTtl: null,
  },
  {
    principal: EDITOR,
    name: nameOf("app-7d"),
    revision: 1,
    updateMask: "*",
    tokenTtl: "1800.500s",
    previousTokenTtl: "604800s",
  },
  {
    principal: OTHER_EDITOR,
    name: nameOf(IOS_APP),
    revision: 2,
    updateMask: "tokenTtl",
    tokenTtl: null,
    previousTokenTtl: "7200s",
  },
];
const ROWS = [
  [EDITOR, nameOf(IOS_APP), "tokenTtl 3600s (default) → 7200s"],
  [EDITOR, nameOf("app-7d"), "tokenTtl 604800s → 1800.500s"],
  ["other\ufffd[31m-editor@example.com", nameOf(IOS_APP), "tokenTtl 7200s → 3600s (default)"],
];

/** A table's cells. Columns are separated by two or more spaces. */
const cellsOf = (text: string): string[][] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => line.split(/ {2,}/));

async function expectJson(args: readonly string[], expected: readonly object[]): Promise<void> {
  const { code, stdout, stderr } = await history("--json", ...args);
  expect([code, stderr]).toEqual([0, ""]);
  const lines = stdout.split("\n").slice(0, -1);
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    expected.map((change) => ({ time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.+Z$/), ...change })),
  );
}

describe("waybill config history", () => {
  it("shows who has made which change and when, newest last, while the server is running", async () => {
    const { code, stdout, stderr } = await history();
    expect([code, stderr]).toEqual([0, ""]);
    const [head, ...rows] = cellsOf(stdout);
    expect(head).toEqual(["time", "principal", "configuration", "change"]);
    expect(rows.map(([, ...cells]) => cells)).toEqual(ROWS);
    const times = rows.map(([time = ""]) => time);
    expect(times.map((time) => new Date(time).toISOString())).toEqual(times);
    expect(times.toSorted()).toEqual(times);
  });

  it("prints a JSON object for each change", () => expectJson([], CHANGES));

  test.each<[args: string[], which: number[]]>([
    [
      ["--app", IOS_APP],
      [0, 2],
    ],
    [["--app", "app-7d"], [1]],
    [["--app", "nobody"], []],
    [
      ["--project", PROJECT.number],
      [0, 1, 2],
    ],
    [["--project", OTHER_PROJECT.number], []],
    [["--project", "42"], []],
    [["--project", PROJECT.number, "--app", "app-7d"], [1]],
  ])("filters by %j", (args, which) =>
    expectJson(
      args,
      which.flatMap((index) => CHANGES[index] ?? []),
    ),
  );

  it("reads the data directory and project ids from the configuration", async () => {
    const file = join(place, "with-data.yaml");
    writeFileSync(file, stringify({ ...config, dataDir: server.dataDir }));
    for (const [project, lines] of [
      [PROJECT.id, 3],
      [OTHER_PROJECT.id, 0],
    ]) {
      const args = ["config", "history", "--config", file, "--project", String(project), "--json"];
      const { code, stdout } = await runInProcess(args);
      expect([code, stdout.split("\n").length - 1]).toEqual([0, lines]);
    }
  });

  it("reports that there are no changes", async () => {
    const nothing = "No app-attestation configuration has been changed.\n";
    expect(await history("--app", "nobody")).toEqual({ code: 0, stdout: nothing, stderr: "" });
    const empty = join(place, "empty");
    mkdirSync(empty);
    expect((await runInProcess(["config", "history", "--data-dir", empty])).stdout).toBe(nothing);
  });

  test.each<[args: () => string[], message: RegExp]>([
    [() => ["--project", "unknown"], /no project unknown.*--config/],
    [() => ["--data-dir", join(place, "none")], /none: there is no such directory/],
    [() => ["--config", join(place, "none.yaml")], /none\.yaml: cannot be read/],
    [() => ["--data-dir", join(place, "waybill.yaml")], /waybill\.yaml: it is not a directory/],
  ])("explains an error in one line: %o", async (args, message) => {
    const { code, stdout, stderr } = await history(...args());
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  it("works if no server is running", async () => {
    await server.stop();
    await expectJson([], CHANGES);
    server = await startServer(place, config, ["--only", "integrity"]);
    await patch(server, await server.token(EDITOR), IOS_APP, { tokenTtl: "1900s" });
    const last = { ...CHANGES[0], revision: 3, tokenTtl: "1900s" };
    await expectJson([], [...CHANGES, last]);
  });
});
