import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Client } from "@modelcontextprotocol/client";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, onTestFinished } from "vitest";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import { formatDay } from "../../src/model/day.js";
import { closedAtEnd } from "../support/closing.js";
import { faultyTraffic } from "../support/data/faulty-traffic.js";
import { entriesOnceThey, importBatch } from "../support/data/import.js";
import { createCredentials } from "../support/servers/credentials.js";
import { test as serving } from "../support/servers/fixtures.js";
import { mirrorOf } from "../support/servers/mirror-of.js";
import { ANDROID_APP, OTHER_PROJECT, PROJECT, VIEWER } from "../support/servers/project.js";
import type { Server } from "../support/servers/server.js";
import { WAYBILL } from "../support/servers/waybill-command.js";
import { testDirectory } from "../support/test-directory.js";
import { textOf } from "../support/text-of.js";
import { TODAY } from "../support/today.js";

const DAYS = 28;
/** The traffic ends yesterday. */
const START = TODAY - DAYS;
const LAST = START + DAYS - 1;
/** The label with a permanent drop. */
const FALLS = LAST - 3;
const LABELS = ["cart_reminder", "news", "promo"];
const MESSAGES = 100;

/** An app with a single day. */
const QUIET_APP = "quiet";
const FALL = /^cart_reminder .*delivered fell to/;

interface HttpResponse {
  readonly text: string;
  readonly data: Record<string, unknown>;
}

/** Connects to `waybill mcp`, as assistants start it. */
async function connect(
  { messagingDataUrl }: Pick<Server, "messagingDataUrl">,
  token: string,
  {
    project = PROJECT.id,
    mode = "legacy",
    flags = [],
  }: { project?: string; mode?: "legacy" | "auto"; flags?: readonly string[] } = {},
): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [WAYBILL, "mcp", "--project", project, "--server", messagingDataUrl, ...flags],
    env: { ...getDefaultEnvironment(), WAYBILL_TOKEN: token },
    stderr: "pipe",
  });
  await client.connect(transport);
  return client;
}

/** Calls a tool. @throws Error with the response, if it is an error. */
async function ask(client: Client, name: string, args: Record<string, unknown> = {}): Promise<HttpResponse> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
  const text = content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  if (isError) throw new Error(text);
  return { text, data: structuredContent as Record<string, unknown> };
}

const test = serving
  .extend("traffic", { scope: "file", auto: true }, async ({ server, editor }) => {
    const delivered = (label: string, day: number) =>
      label === "cart_reminder" && day >= FALLS ? 0.36 : 0.9;
    const of = { appId: ANDROID_APP, startDay: START, days: DAYS, labels: LABELS, messages: MESSAGES };
    await importBatch(server, editor, [...faultyTraffic({ ...of, delivered })].join(""));
    const quiet = { ...of, appId: QUIET_APP, days: 1, labels: ["news"], messages: 10 };
    await importBatch(server, editor, [...faultyTraffic({ ...quiet, delivered })].join(""));
    await entriesOnceThey(server, editor, QUIET_APP, ({ length }) => length === 1);
    await entriesOnceThey(server, editor, ANDROID_APP, ({ length }) => length === DAYS * LABELS.length);
  })
  .extend("client", { scope: "file" }, async ({ server, viewer }, { onCleanup }) =>
    closedAtEnd(await connect(server, viewer), onCleanup),
  );

const named = (data: Record<string, unknown>, key: string): Record<string, unknown>[] =>
  data[key] as Record<string, unknown>[];

describe("waybill mcp", () => {
  test("has only tools that read data", async ({ client }) => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "delivery_report",
      "what_changed",
      "compare_labels",
      "list_apps",
    ]);
    expect(tools.map(({ annotations }) => annotations?.readOnlyHint)).toEqual(tools.map(() => true));
    expect(client.getServerVersion()).toMatchObject({ name: "waybill" });
    expect(client.getInstructions()).toContain(PROJECT.id);
  });

  test("supports the current revision of the protocol", async ({ server, viewer }) => {
    const client = await connect(server, viewer, { mode: "auto" });
    expect((await ask(client, "list_apps")).data.apps).toHaveLength(2);
    await client.close();
  });

  test("lists the apps", async ({ client }) => {
    const { text, data } = await ask(client, "list_apps");
    expect(data).toEqual({
      apps: [
        { app: ANDROID_APP, firstDay: formatDay(START), lastDay: formatDay(LAST) },
        { app: QUIET_APP, firstDay: formatDay(START), lastDay: formatDay(START) },
      ],
      moreApps: false,
    });
    expect(text.split("\n")[0]).toBe(`${ANDROID_APP}: data from ${formatDay(START)} to ${formatDay(LAST)}`);
  });

  test.for([ANDROID_APP, "-"])("reports the last seven days of the app %s", async (app, { client }) => {
    const { text, data } = await ask(client, "delivery_report", { app });
    const accepted = 7 * LABELS.length * MESSAGES;
    expect(data).toMatchObject({
      app,
      period: { from: formatDay(LAST - 6), to: formatDay(LAST), days: 7, daysWithData: 7, accepted },
      before: { from: formatDay(LAST - 13), to: formatDay(LAST - 7), daysWithData: 7, accepted },
      acceptedChangePercent: 0,
      incidents: [
        { app: ANDROID_APP, label: "cart_reminder", outcome: "DELIVERED", since: formatDay(FALLS) },
      ],
      moreIncidents: false,
    });
    expect(data.deliveredChangePoints).toBeCloseTo(-10.3, -0.7);
    const [first, others, before, , incident] = text.split("\n");
    expect(first).toMatch(/: 2,100 messages, \d\d\.\d % delivered\.$/);
    expect(others).toMatch(/^Not delivered: \d\d\.\d % dropped ttl expired\.$/);
    expect(before).toMatch(
      /The share delivered fell by \d+\.\d points; the number of messages did not change\.$/,
    );
    expect(incident).toContain(`since ${formatDay(FALLS)}, ongoing; usual is `);
  });

  test("compares numbers of messages only for the same number of days with data", async ({ client }) => {
    const from = formatDay(START + 4);
    const { text, data } = await ask(client, "delivery_report", {
      app: ANDROID_APP,
      from,
      to: formatDay(START + 10),
    });
    expect(data).toMatchObject({ before: { days: 7, daysWithData: 4 }, incidents: [] });
    expect(data).toHaveProperty("deliveredChangePoints");
    expect(data).not.toHaveProperty("acceptedChangePercent");
    expect(text).toContain("The 7 days before (4 of 7 days have data): 1,200 messages");
    expect(text).toContain("No incidents on these days.");
  });

  test.for([
    [{}, ["cart_reminder"], FALL],
    [{ app: ANDROID_APP, since: formatDay(LAST), ongoing: true }, ["cart_reminder"], FALL],
    [{ app: QUIET_APP, since: "2025-03-01" }, [], /^No incidents since 2025-03-01 \(app quiet\)\.$/],
  ] as const)("reports the changes for %j", async ([args, labels, expected], { client }) => {
    const { text, data } = await ask(client, "what_changed", args);
    expect(named(data, "incidents").map(({ label }) => label)).toEqual(labels);
    expect(text).toMatch(expected);
  });

  test("reports a mirror's gaps, even if there is no data", async ({ server, openServer }) => {
    const { path } = await createCredentials(server, "nobody@example.com");
    const mirror = await openServer(mirrorOf(server, path, { apps: [ANDROID_APP] }));
    await runInProcess(["mirror", "--once", "--admin", mirror.adminUrl, "--data-dir", mirror.dataDir]);
    const client = await connect(mirror, await mirror.token(VIEWER));
    onTestFinished(() => client.close());
    const { text, data } = await ask(client, "what_changed");
    expect(data).toMatchObject({
      incidents: [],
      gaps: [{ app: ANDROID_APP, kind: "CREDENTIALS_REJECTED", problem: expect.stringContaining("403") }],
      moreGaps: false,
    });
    expect(text).toMatch(
      /^No incidents \(all apps\)\.\nThe mirror has gaps: The upstream service has rejected the mirror's credentials since \S+Z; .*403.*\.$/,
    );
  });

  test.for(["delivery_report", "compare_labels"])(
    "%s finds no incidents on future days",
    async (tool, { client }) => {
      const ends = { from: formatDay(LAST + 100), to: formatDay(LAST + 104) };
      const { text, data } = await ask(client, tool, { app: ANDROID_APP, ...ends });
      expect(data).toMatchObject({ incidents: [], moreIncidents: false });
      expect(text).toContain("No incidents on these days.");
    },
  );

  test.for([
    [undefined, LABELS],
    [
      ["promo", "cart_reminder", "unused"],
      ["promo", "cart_reminder", "unused"],
    ],
  ] as const)("compares the labels %j", async ([asked, expected], { client }) => {
    const ends = { from: formatDay(FALLS), to: formatDay(LAST) };
    const labels = asked === undefined ? {} : { labels: asked };
    const { text, data } = await ask(client, "compare_labels", { app: ANDROID_APP, ...ends, ...labels });
    expect(data).toMatchObject({ ...ends, moreLabels: 0 });
    const shares = named(data, "labels");
    expect(shares.map(({ label }) => label)).toEqual(expected);
    for (const { label, accepted, deliveredPercent } of shares) {
      expect(accepted).toBe(label === "unused" ? 0 : 4 * MESSAGES);
      if (label !== "unused") expect(Number(deliveredPercent) < 60).toBe(label === "cart_reminder");
    }
    expect(named(data, "incidents")).toMatchObject([{ label: "cart_reminder" }]);
    expect(text).toMatch(/^Incidents on these days:\ncart_reminder /m);
    if (asked === undefined) return;
    expect(text).toMatch(/^unused: no messages$/m);
    expect(text).toMatch(
      /^Labels with messages on these days: (?:(?:cart_reminder|news|promo)(?:, )?){3}\.$/m,
    );
  });

  test.for([
    ["delivery_report", { app: "unknown" }, /no delivery data for app unknown; list_apps/],
    ["what_changed", { app: "unknown" }, /no delivery data for app unknown; list_apps/],
    ["delivery_report", { app: ANDROID_APP, from: "2025-02-29" }, /must be a date, YYYY-MM-DD/],
    ["delivery_report", { app: ANDROID_APP, from: "2025-03-02", to: "2025-03-01" }, /is after the last/],
    ["what_changed", { app: ".." }, /does not match projects\/\*\/androidApps\/\*/],
    ["compare_labels", { app: ANDROID_APP, labels: ['a" OR analyticsLabel = "b'] }, /analytics label/],
    ["compare_labels", {}, /app/],
    ["delivery_report", { app: ANDROID_APP, fromm: "2025-03-01" }, /fromm: unknown; did you mean from\?/],
    ["list_apps", { app: ANDROID_APP }, /app: unknown; the tool has no arguments/],
  ] as const)("returns the error %s for %j", async ([name, args, message], { client }) => {
    await expect(ask(client, name, args)).rejects.toThrow(message);
  });

  test("returns the server's error as its own", async ({ server, viewer }) => {
    const client = await connect(server, viewer, { project: OTHER_PROJECT.id });
    await expect(ask(client, "what_changed")).rejects.toThrow(
      /needs the role viewer on the project other-project/,
    );
    await client.close();
  });

  test("continues with a new token from its token file after the old token was rejected", async ({
    server,
    viewer,
  }) => {
    const file = join(await testDirectory(), "token");
    await writeFile(file, "expired");
    const client = await connect(server, "", { flags: ["--token-file", file] });
    onTestFinished(() => client.close());
    await expect(ask(client, "list_apps")).rejects.toThrow(/token/);
    await writeFile(file, `${viewer}\n`);
    expect((await ask(client, "list_apps")).data.apps).toHaveLength(2);
  });

  test("fails without a token", async () => {
    const { code, stdout, stderr } = await runInProcess(["mcp", "--project", PROJECT.id]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^waybill: no access token: set --token, --token-file or WAYBILL_TOKEN\n$/);
  });

  test("ends with an error after a line that is too long", async () => {
    const child = spawn(process.execPath, [WAYBILL, "mcp", "--project", "p", "--token", "t"], {
      stdio: "pipe",
    });
    const stderr = textOf(child.stderr);
    // The command may end before it has read everything.
    child.stdin.on("error", () => {});
    child.stdin.write(Buffer.alloc(11 * 1024 * 1024, " "));
    expect(await once(child, "close")).toEqual([1, null]);
    expect(stderr()).toBe("waybill: a message on standard input is longer than 10 MiB\n");
  });

  test("writes only protocol messages, and ends after the last response when its input ends", async ({
    server,
    viewer,
  }) => {
    const target = ["--project", PROJECT.id, "--server", server.messagingDataUrl, "--token", viewer];
    const child = spawn(process.execPath, [WAYBILL, "mcp", ...target], { stdio: "pipe" });
    const stderr = textOf(child.stderr);
    const clientInfo = { name: "test", version: "1" };
    const requests = [
      ["initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo }],
      ["tools/list", {}],
      ["tools/call", { name: "list_apps", arguments: {} }],
      ["tools/call", { name: "what_changed", arguments: { app: ".." } }],
    ] as const;
    const ids: unknown[] = [];
    const ended = once(child, "close");
    for (const [id, [method, params]] of requests.entries())
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    child.stdin.end();
    for await (const line of createInterface(child.stdout)) {
      const message = JSON.parse(line) as { jsonrpc: string; id: number };
      expect(message).toMatchObject({ jsonrpc: "2.0", result: expect.any(Object) });
      ids.push(message.id);
    }
    expect(ids.sort()).toEqual([0, 1, 2, 3]);
    expect([await ended, stderr()]).toEqual([[0, null], ""]);
  });
});
