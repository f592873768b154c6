import { type ChildProcess, execFileSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect } from "vitest";
import { listOf, type Page } from "../support/data/delivery-data.js";
import { send } from "../support/http/exchange.js";
import { it } from "../support/servers/fixtures.js";
import { spawnServer } from "../support/servers/server-process.js";
import { WAYBILL } from "../support/servers/waybill-command.js";
import { ago } from "../support/today.js";

/** The process and the output of `waybill serve --demo`. */
interface Demo {
  readonly process: ChildProcess;
  readonly messagingDataUrl: string;
  readonly adminUrl: string;
  readonly curls: readonly string[];
}

const APP = "1:123456789012:android:0a1b2c3d4e5f";

let directory: string;
let demo: Demo;
/** A default token of `waybill token`. */
let token: string;
it.beforeAll(async ({ sharedDirectory }) => {
  directory = sharedDirectory;
  demo = await startDemo();
  token = execFileSync(process.execPath, [WAYBILL, "token"], { cwd: directory }).toString().trim();
});
it.afterAll(() => stop(demo));

/** Starts the demo in the empty directory, or with data from an earlier start. */
async function startDemo(): Promise<Demo> {
  const child = spawnServer(["--demo"], [], { cwd: directory });
  child.stderr.resume();
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (lines.filter((printed) => printed.includes("curl ")).length === 2) break;
  }
  const ready = JSON.parse(lines[0] ?? "") as Record<string, string>;
  expect(ready.event).toBe("ready");
  return {
    process: child,
    messagingDataUrl: ready.messagingDataUrl ?? "",
    adminUrl: ready.adminUrl ?? "",
    curls: lines.filter((line) => line.includes("curl ")),
  };
}

async function stop({ process: child }: Demo): Promise<void> {
  child.kill();
  const [code] = (await once(child, "exit")) as [number];
  expect(code).toBe(0);
}

/** The messaging-data service's response, read with {@link token}. */
async function read(target: string): Promise<string> {
  const { status, text } = await send(demo.messagingDataUrl, target, { token });
  expect(status).toBe(200);
  return text;
}

/** The whole list of an app. */
const listed = (): Promise<string> => read(`${listOf(APP, "demo-project")}?pageSize=10000`);

const hasCurl = (() => {
  try {
    execFileSync("curl", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

it.skipIf(!hasCurl)("the demo prints requests that work without changes", () => {
  const responses = demo.curls.map(
    (line) =>
      JSON.parse(execFileSync("sh", ["-c", `${line} --silent --show-error --fail`]).toString()) as object,
  );
  expect(responses).toEqual([
    {
      name: "projects/123456789012/apps/1:123456789012:ios:0a1b2c3d4e5f/appAttestConfig",
      tokenTtl: "3600s",
    },
    { androidDeliveryData: [expect.anything(), expect.anything()], nextPageToken: expect.any(String) },
  ]);
});

it("the demo has 75 days of traffic up to yesterday", async () => {
  const { androidDeliveryData = [] } = JSON.parse(await listed()) as Page;
  const dates = new Set(androidDeliveryData.map(({ date }) => `${date.year}-${date.month}-${date.day}`));
  expect(dates.size).toBe(75);
});

// A day with an incident may be reported a day or two longer, because traffic differs by date.
it.for<[title: string, filter: string]>([
  ["an incident of all messages", `wholeApp = true AND startDate = ${ago(26)} AND endDate < ${ago(22)}`],
  ["an ongoing incident of a label", `analyticsLabel = promo AND startDate = ${ago(12)} AND NOT endDate:*`],
])("the demo has %s", async ([_, filter]) => {
  const query = new URLSearchParams({ filter }).toString();
  const response = await read(`/v1beta1/projects/demo-project/androidApps/${APP}/incidents?${query}`);
  expect(JSON.parse(response)).toMatchObject({ incidents: [{ outcome: "DELIVERED" }] });
});

it("the demo adds no traffic when it is restarted", async () => {
  const before = await listed();
  await stop(demo);
  demo = await startDemo();
  expect((await send(demo.adminUrl, "/metrics")).text).not.toMatch(/^waybill_imported_events_total\{/m);
  expect(await listed()).toBe(before);
});
