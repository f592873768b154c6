import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect } from "vitest";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import { dayOfJson, formatDay } from "../../src/model/day.js";
import { accepted, type Entry } from "../support/data/delivery-data.js";
import { entriesOnceThey, ndjson, parsedLines, postEvents } from "../support/data/import.js";
import { importTraffic } from "../support/data/simulated-traffic.js";
import { type FaultyProxy, faultyProxy } from "../support/http/faulty-proxy.js";
import { poll } from "../support/poll.js";
import { test as serving } from "../support/servers/fixtures.js";
import { ANDROID_APP, IOS_APP, PROJECT } from "../support/servers/project.js";
import type { Server } from "../support/servers/server.js";
import { WAYBILL } from "../support/servers/waybill-command.js";
import { textOf } from "../support/text-of.js";

/** An app with an id that needs every kind of quoting. */
const ODD_APP = '=HYPERLINK("x", "y"), 日本';
const NAME = `projects/${PROJECT.number}/apps/${IOS_APP}/appAttestConfig`;
let proxy: FaultyProxy;

const test = serving
  .extend("entries", { scope: "file", auto: true }, ({ server, editor }) =>
    importTraffic(server, editor, ANDROID_APP),
  )
  .extend("listFlags", ({ viewer }) => (app: string, ...flags: readonly string[]): string[] => [
    ...["list", "--server", proxy.url, "--project", PROJECT.id, "--app", app, "--token", viewer],
    ...flags,
  ])
  /** The output of `waybill list` to stdout. It must not print to stderr. */
  .extend("listed", ({ listFlags }) => async (app: string, ...flags: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await runInProcess(listFlags(app, ...flags));
    expect([code, stderr]).toEqual([0, ""]);
    return stdout;
  })
  .extend(
    "command",
    ({ listFlags }) =>
      (...flags: readonly string[]): string =>
        [process.execPath, WAYBILL, ...listFlags(ANDROID_APP, ...flags)].join(" "),
  )
  .extend("target", ({ server, viewer }) => (): string[] => [
    "--server",
    server.integrityUrl,
    "--token",
    viewer,
  ]);

test.beforeAll(async ({ server, editor, viewer }) => {
  const odd = ["", "-1", "100%~x"].map((label) => accepted(ODD_APP, "2025-03-03T20:00:00Z", label));
  await postEvents(server, editor, ndjson(odd));
  await entriesOnceThey(server, viewer, encodeURIComponent(ODD_APP), (listed) => listed.length === 3);
});

test.beforeEach(async ({ server }) => {
  proxy = await faultyProxy(server.messagingDataUrl);
});
afterEach(() => proxy.close());

/** The line with which a command explains its failure. */
async function failure(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runInProcess(args);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  return stderr.trimEnd();
}

/** A CSV text's records according to RFC 4180. @throws Error on anything else. */
function recordsOf(csv: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  while (field.lastIndex < csv.length) {
    const at = field.lastIndex;
    const [, quoted, plain = "", end] = field.exec(csv) ?? [];
    if (end === undefined) throw new Error(`not CSV: ${JSON.stringify(csv.slice(at, at + 80))}`);
    record.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ",") continue;
    records.push(record);
    record = [];
  }
  return records;
}

/** An entry's values by column name, as in CSV. */
function figuresOf({ appId, date, analyticsLabel = "", data }: Entry): Record<string, unknown> {
  const figures: Record<string, unknown> = { appId, date: formatDay(dayOfJson(date)), analyticsLabel };
  for (const [name, value] of Object.entries(data)) {
    if (typeof value !== "object") figures[name] = value;
    else
      for (const [percent, figure] of Object.entries(value ?? {}))
        figures[`${name}.${percent}`] = `${figure}`;
  }
  return figures;
}

describe("waybill list", () => {
  test.for([[[]], [["--page-size", "3"]]] as const)(
    "prints every entry as in the API, with %j",
    async ([flags], { listed, entries }) => {
      const lines = await listed(ANDROID_APP, "--format", "ndjson", ...flags);
      expect(lines.endsWith("\n")).toBe(true);
      expect(parsedLines(lines)).toEqual(entries);
      const json = await listed(ANDROID_APP, "--format", "json", ...flags);
      expect(JSON.parse(json)).toEqual(entries);
    },
  );

  test("prints CSV from which every value can be read back exactly", async ({ listed, entries }) => {
    const [header = [], ...records] = recordsOf(await listed(ANDROID_APP, "--format", "csv"));
    expect(header.slice(0, 5)).toEqual([
      "appId",
      "date",
      "analyticsLabel",
      "countMessagesAccepted",
      "messageOutcomePercents.delivered",
    ]);
    expect(new Set(header).size).toBe(header.length);
    const known = new Set(entries.flatMap((entry) => Object.keys(figuresOf(entry))));
    expect([...known].filter((name) => !header.includes(name))).toEqual([]);
    expect(records).toHaveLength(entries.length);
    for (const [index, record] of records.entries()) {
      const entry = entries[index] as Entry;
      const figures = figuresOf(entry);
      for (const [column, name] of header.entries()) {
        const group = name.split(".")[0] ?? "";
        // JSON omits counts of 0. Counts of an absent group are undefined.
        const absent = name.includes(".") && !(group in entry.data) ? "" : "0";
        expect([name, record[column]]).toEqual([name, figures[name] ?? absent]);
      }
    }
  });

  test("quotes CSV cells where needed, without changing them", async ({ listed }) => {
    const [header = [], ...records] = recordsOf(await listed(ODD_APP, "--format", "csv"));
    const column = (name: string): (string | undefined)[] =>
      records.map((record) => record[header.indexOf(name)]);
    expect(column("appId")).toEqual([ODD_APP, ODD_APP, ODD_APP]);
    expect(column("analyticsLabel")).toEqual(["", "-1", "100%~x"]);
    expect(column("countNotificationsAccepted")).toEqual(["0", "0", "0"]);
    // Without notifications, their percentages are undefined rather than 0.
    expect(column("proxyNotificationInsightPercents.proxied")).toEqual(["", "", ""]);
  });

  test("prints a table by default", async ({ listed, entries }) => {
    const [head, ...lines] = (await listed(ANDROID_APP, "--page-size", "4")).trimEnd().split("\n");
    expect(head).toMatch(/^date +label +accepted +delivered % +pending % +.* notifications$/);
    expect(lines).toHaveLength(entries.length);
    const cells = lines.map((line) => line.split(/ {2,}/).slice(0, 5));
    const percent = (value: unknown): string => Number(value ?? 0).toFixed(2);
    expect(cells).toEqual(
      entries.map((entry) => {
        const { date, analyticsLabel, countMessagesAccepted, ...figures } = figuresOf(entry);
        return [
          date,
          analyticsLabel === "" ? "(no label)" : analyticsLabel,
          countMessagesAccepted,
          percent(figures["messageOutcomePercents.delivered"]),
          percent(figures["messageOutcomePercents.pending"]),
        ];
      }),
    );
    // Every row is as long as the header, which keeps columns aligned.
    for (const line of lines) expect(line).toHaveLength(head?.length ?? 0);
  });

  test.for([
    ["table", /^date .*\n$/],
    ["json", /^\[\]\n$/],
    ["ndjson", /^$/],
    ["csv", /^appId,date,.*\r\n$/],
  ] as const)("prints an empty %s for an unknown app", async ([format, expected], { listed }) => {
    expect(await listed("none", "--format", format)).toMatch(expected);
  });

  test.for<[flags: readonly string[], accept: (date: string, label: string) => boolean]>([
    [["--from", "2025-03-05"], (date) => date >= "2025-03-05"],
    [["--from", "2025-03-04", "--to", "2025-03-04"], (date) => date === "2025-03-04"],
    [["--label", ""], (_, label) => label === ""],
    [
      ["--to", "2025-03-05", "--label", "7day", "--label", ""],
      (date, label) => date <= "2025-03-05" && (label === "7day" || label === ""),
    ],
    [
      ["--from", "2025-03-04", "--filter", 'analyticsLabel = "7*" OR date = "2025-03-06"'],
      (date, label) => date >= "2025-03-04" && (label.startsWith("7") || date === "2025-03-06"),
    ],
  ])("selects entries by %j", async ([flags, accept], { entries, listed }) => {
    const picked = entries.filter((entry) => {
      const { date, analyticsLabel } = figuresOf(entry) as Record<string, string>;
      return accept(date ?? "", analyticsLabel ?? "");
    });
    expect(picked.length).toBeGreaterThan(0);
    expect(picked.length).toBeLessThan(entries.length);
    const lines = await listed(ANDROID_APP, "--format", "ndjson", "--page-size", "2", ...flags);
    expect(parsedLines(lines)).toEqual(picked);
  });

  test("includes the app of each entry in a list of all apps", async ({ listed, entries }) => {
    const [head, ...lines] = (await listed("-", "--to", "2025-03-03")).trimEnd().split("\n");
    expect(head).toMatch(/^date +app +label +accepted /);
    const apps = lines.map((line) => line.split(/ {2,}/)[1]);
    const first = entries.filter((entry) => figuresOf(entry).date === "2025-03-03");
    expect(apps).toEqual([...first.map(({ appId }) => appId), ODD_APP, ODD_APP, ODD_APP]);
  });

  test("prints pages as they arrive", async ({ listFlags, entries }) => {
    proxy.next("none", "held");
    const flags = listFlags(ANDROID_APP, "--page-size", "2", "--format", "ndjson");
    const child = spawn(process.execPath, [WAYBILL, ...flags]);
    const stdout = textOf(child.stdout);
    const ended = once(child, "close");
    const lines = (): string[] => stdout().split("\n").slice(0, -1);
    await poll(() => lines().length, 2);
    expect(lines()).toHaveLength(2);
    proxy.release();
    await ended;
    expect(lines()).toHaveLength(entries.length);
  });

  test.for(["table", "json", "ndjson", "csv"])(
    "exits without an error if the reader closes its %s",
    async (format, { sharedDirectory, listFlags, entries }) => {
      const flags = listFlags(ANDROID_APP, "--page-size", "1", "--format", format);
      const quoted = [process.execPath, WAYBILL, ...flags].map((part) => `'${part}'`).join(" ");
      const errors = join(sharedDirectory, `${format}.err`);
      const script = `${quoted} 2>${errors} | head -n 1; echo "exit \${PIPESTATUS[0]}"`;
      // A table is printed after enough rows to compute its layout. Here, these are all rows.
      if (format !== "table") proxy.next("none", "none", "held");
      const shell = spawn("bash", ["-c", script], { stdio: ["ignore", "pipe", "ignore"] });
      const stdout = textOf(shell.stdout);
      shell.stdout.on("data", () => proxy.release());
      await once(shell, "close");
      expect(stdout().trimEnd().split("\n")).toEqual([expect.any(String), "exit 0"]);
      expect(await readFile(errors, "utf8")).toBe("");
      if (format !== "table") expect(proxy.seen.length).toBeLessThan(entries.length);
    },
  );

  test("retries after transient failures", async ({ listed, entries }) => {
    proxy.next("cut before", { status: 502, body: "<html>" }, "none", "cut within");
    const lines = await listed(ANDROID_APP, "--format", "ndjson", "--page-size", "20");
    expect(lines.trimEnd().split("\n")).toHaveLength(entries.length);
  });

  test.for<[name: string, flags: (server: Server) => string[], message: RegExp]>([
    ["a bad token", () => ["--token", "none"], /token/i],
    ["an app id with a slash", () => ["--app", "a/b"], /"projects\/.*" does not match /],
    [
      "a project without access",
      () => ["--project", "of-others"],
      /role.* See http:\/\/127\.0\.0\.1:\d+\/docs\/reference\/errors#permission_missing$/,
    ],
    ["the other service", (server) => ["--server", server.integrityUrl], /No resource has the path/],
    [
      "no service at all",
      (server) => ["--server", `${server.adminUrl}/metrics?`],
      /No resource|without a reason/,
    ],
  ])("explains an error in one line: %s", async ([_, flags, message], { server, listFlags }) => {
    const line = await failure(...listFlags(ANDROID_APP, ...flags(server)));
    expect(line).toMatch(/^waybill: /);
    expect(line).toMatch(message);
  });

  test("fails with a hint if there is no token", async () => {
    const target = ["--server", proxy.url, "--project", PROJECT.id, "--app", ANDROID_APP];
    const line = "waybill: no access token: set --token or WAYBILL_TOKEN";
    expect(await failure("list", ...target)).toBe(line);
    expect(await failure("get", ...target)).toBe(line);
  });

  test("does not close the JSON array if the list could not be read completely", async ({ listFlags }) => {
    proxy.next("none", { status: 404, body: "" });
    const flags = ["--page-size", "2", "--format", "json"];
    const { code, stdout, stderr } = await runInProcess(listFlags(ANDROID_APP, ...flags));
    expect(code).toBe(1);
    expect(stderr).toMatch(/^waybill: .* responded with HTTP status 404/);
    expect(() => JSON.parse(stdout)).toThrow();
  });

  const script = "/usr/bin/script";
  describe.skipIf(!existsSync(script))("on a terminal", () => {
    /** The terminal's output of a command; `onText` receives it as it grows. */
    async function shown(command: string, onText: (text: string) => void = () => {}): Promise<string> {
      const terminal = spawn(script, ["-qec", command, "/dev/null"], { stdio: ["ignore", "pipe", "ignore"] });
      const text = textOf(terminal.stdout);
      terminal.stdout.on("data", () => onText(text()));
      await once(terminal, "close");
      return text().replaceAll("\r\n", "\n");
    }
    test("fits the table to the width, and lists the omitted columns", async ({ command, entries }) => {
      const lines = (await shown(`stty cols 60; ${command()}`)).trimEnd().split("\n");
      expect(lines.at(-1)).toMatch(/^Columns that do not fit: .*notifications\.$/);
      expect(Math.max(...lines.slice(0, -1).map((line) => line.length))).toBeLessThanOrEqual(60);
      expect(lines).toHaveLength(entries.length + 2);
      expect(lines[0]).toMatch(/^date +label +accepted +delivered %/);
    });

    test("shows a running count, and reports retries", async ({ sharedDirectory, command, entries }) => {
      const file = join(sharedDirectory, "waited.ndjson");
      proxy.next("cut before", "none", "held");
      const text = await shown(`${command("--page-size", "2", "--format", "ndjson")} > ${file}`, (sofar) => {
        if (sofar.includes("2 entries")) proxy.release();
      });
      expect(text).toMatch(/waybill: http:.* cannot be reached: .*; retrying in 0\.\d s$/m);
      expect((await readFile(file, "utf8")).trimEnd().split("\n")).toHaveLength(entries.length);
    });
  });
});

describe("waybill get", () => {
  test.for([
    ["by project and app", ["--project", PROJECT.id, "--app", IOS_APP]],
    ["by name", [NAME.replace(PROJECT.number, PROJECT.id)]],
  ] as const)("prints a configuration, %s", async ([_, args], { target }) => {
    const table = await runInProcess(["get", ...args, ...target()]);
    expect(table).toEqual({ code: 0, stdout: `name      ${NAME}\ntokenTtl  3600s\n`, stderr: "" });
    const json = await runInProcess(["get", ...args, ...target(), "--format", "json"]);
    expect(JSON.parse(json.stdout)).toEqual({ name: NAME, tokenTtl: "3600s" });
  });

  test.for([
    [[], /set either a resource name, or --project and --app/],
    [["--project", PROJECT.id], /set either a resource name, or --project and --app/],
    [[NAME, "--app", IOS_APP], /set either a resource name, or --project and --app/],
    [["projects/p/apps/a"], /"projects\/p\/apps\/a" does not match projects\/\*\/apps\/\*\/appAttestConfig/],
    [["--project", PROJECT.id, "--app", "none"], /does not exist/],
  ] as const)("explains the error for %j", async ([args, message], { target }) => {
    expect(await failure("get", ...args, ...target())).toMatch(message);
  });
});
