import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { type CommandOutcome, runInProcess } from "../../src/cli/testing/run-in-process.js";
import { openContext } from "../support/browser/contexts.js";
import { columnOf, readTable } from "../support/browser/page-table.js";
import { signIn } from "../support/browser/sign-in.js";
import { openWatchedPage } from "../support/browser/watched-page.js";
import { opening } from "../support/closing.js";
import { sharedChromium } from "../support/cluster/shared-servers.js";
import { startWaybillCluster } from "../support/cluster/waybill-cluster.js";
import {
  accepted,
  allPages,
  entryName,
  incidentsOf,
  listOf,
  type Page,
} from "../support/data/delivery-data.js";
import { importBatch, ndjson } from "../support/data/import.js";
import { configOf, nameOf, patch, readConfig } from "../support/data/integrity.js";
import { type HttpResponse, send } from "../support/http/exchange.js";
import { GrpcService } from "../support/http/grpc.js";
import { INTEGRITY, MESSAGING_DATA } from "../support/http/grpc-test.js";
import { need } from "../support/needs.js";
import { poll } from "../support/poll.js";
import { googleClient } from "../support/servers/google-client.js";
import { test as serving } from "../support/servers/process-fixtures.js";
import { EDITOR, IOS_APP, PROJECT, VIEWER } from "../support/servers/project.js";

need("chromium");

const NOON = "2025-06-02T12:00:00-07:00";
const PARENT = `projects/${PROJECT.id}/androidApps`;

/** Runs a command. @throws Error if it fails. */
async function command(...args: readonly string[]): Promise<CommandOutcome> {
  const result = await runInProcess(args);
  if (result.code !== 0) throw new Error(`waybill ${args[0]}: ${result.stderr}`);
  return result;
}

const test = serving
  .extend("cluster", { scope: "file" }, opening(startWaybillCluster))
  /** Tokens of the cluster. */
  .extend("tokens", { scope: "file" }, async ({ cluster }) => {
    const [editor, viewer] = await Promise.all([EDITOR, VIEWER].map(cluster.token));
    return { editor: editor ?? "", viewer: viewer ?? "" };
  })
  /** Simulated traffic, and its apps' entries as JSON lines. */
  .extend("traffic", { scope: "file" }, async ({ sharedDirectory }) => {
    const [file, expected] = ["events.ndjson.gz", "expected.ndjson"].map((name) =>
      join(sharedDirectory, name),
    );
    const size = ["--messages", "2500", "--days", "6", "--apps", "3", "--labels", "12", "--seed", "5"];
    await command("simulate", ...size, "--out", file ?? "", "--expect", expected ?? "");
    const lines = (await readFile(expected ?? "", "utf8")).trimEnd().split("\n");
    const apps = new Map<string, string[]>();
    for (const line of lines) {
      const { appId } = JSON.parse(line);
      apps.set(appId, [...(apps.get(appId) ?? []), line]);
    }
    return { file: file ?? "", apps };
  })
  /** Returns delivery data of a server that has rolled up the traffic. */
  .extend("asked", { scope: "file" }, async ({ cluster, tokens, traffic, server, editor }) => {
    const [first] = cluster.servers;
    const targets = [
      { messagingDataUrl: first?.messagingDataUrl ?? "", token: tokens.editor },
      { messagingDataUrl: server.messagingDataUrl, token: editor },
    ];
    const size = ["--batch-bytes", "200000"];
    await Promise.all(
      targets.map(async ({ messagingDataUrl, token }) => {
        const at = ["--server", messagingDataUrl, "--token", token, "--project", PROJECT.id];
        await command("import", traffic.file, ...at, ...size);
        for (const [app, lines] of traffic.apps) {
          await poll(
            () => send(messagingDataUrl, listOf(encodeURIComponent(app)), { token }),
            ({ text }) => text === bodyOf(lines),
          );
        }
      }),
    );
    return {
      apps: traffic.apps,
      /** Sends a request to each process and to the load balancer. */
      cluster: (target: string, headers = {}): Promise<HttpResponse[]> =>
        Promise.all(
          [...cluster.servers, cluster.balancer].map(({ messagingDataUrl }) =>
            send(messagingDataUrl, target, { token: tokens.viewer, headers }),
          ),
        ),
      embedded: (target: string): Promise<HttpResponse> =>
        send(server.messagingDataUrl, target, { token: editor }),
    };
  });

const bodyOf = (lines: readonly string[]): string => `{"androidDeliveryData":[${lines.join(",")}]}`;

/** List members that do not depend on keys. */
const withoutToken = ({ text }: HttpResponse): unknown => ({ ...JSON.parse(text), nextPageToken: undefined });

test("in a cluster, every process lists exactly the entries that the simulator expects", async ({
  asked,
}) => {
  expect(asked.apps.size).toBe(3);
  for (const [app, lines] of asked.apps) {
    const target = listOf(encodeURIComponent(app));
    const everyone = async () => (await asked.cluster(target)).map(({ text }) => text);
    // Other processes follow a publication within a second.
    const bodies = await poll(everyone, (texts) => texts.every((text) => text === bodyOf(lines)));
    expect(bodies).toEqual(new Array(4).fill(bodyOf(lines)));
  }
});

test("in a cluster, every process returns the same bytes and the same ETag as an embedded server", async ({
  asked,
}) => {
  const [app = ""] = [...asked.apps.keys()].map(encodeURIComponent);
  const all = listOf("-");
  const filter = (text: string) => `filter=${encodeURIComponent(text)}`;
  const targets = [
    `${all}?pageSize=10000`,
    `${listOf(app)}?${filter('date >= "2025-03-04" AND date < "2025-03-06"')}`,
    `${all}?${filter('analyticsLabel = ""')}`,
    `${all}:aggregate`,
    `${listOf(app)}:aggregate?groupBy=DATE`,
    `${listOf(app)}:aggregate?groupBy=ANALYTICS_LABEL&groupBy=DATE`,
    incidentsOf("-"),
    `/v1beta1/${PARENT}`,
    listOf("missing"),
  ];
  for (const target of targets) {
    const expected = await asked.embedded(target);
    expect([target, expected.status]).toEqual([target, 200]);
    // Other processes follow a publication within a second.
    const responses = await poll(
      () => asked.cluster(target),
      (all) => all.every(({ text }) => text === expected.text),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const [etag, ...others] = responses.map(({ headers }) => headers.etag);
    expect([target, ...others]).toEqual([target, etag, etag, etag]);
    if (etag === undefined) continue;
    const again = await asked.cluster(target, { "if-none-match": etag });
    expect(again.map(({ status }) => status)).toEqual([304, 304, 304, 304]);
  }
});

test("in a cluster, a client can read each page from another process", async ({
  asked,
  cluster,
  tokens,
  server,
  editor,
}) => {
  for (const [app, pageSize] of [
    [encodeURIComponent([...asked.apps.keys()][0] ?? ""), 7],
    ["-", 40],
  ] as const) {
    const target = `${listOf(app)}?pageSize=${pageSize}`;
    const walked: unknown[] = [];
    for (let pageToken: string | undefined = ""; pageToken !== undefined; ) {
      const next = cluster.servers[walked.length % cluster.servers.length];
      const at = `${target}&pageToken=${pageToken}`;
      const response = await send(next?.messagingDataUrl ?? "", at, { token: tokens.viewer });
      expect(response.status).toBe(200);
      walked.push(withoutToken(response));
      pageToken = (JSON.parse(response.text) as Page).nextPageToken;
    }
    expect(walked.length).toBeGreaterThan(5);
    const pages = await allPages(server.messagingDataUrl, target, editor);
    expect(walked).toEqual(pages.map((page) => ({ ...page, nextPageToken: undefined })));
  }
  const [, failing] = await asked.cluster(`${listOf("-")}?pageSize=40&pageToken=x`);
  expect(errorOf(failing?.text ?? "").reason).toBe("PAGE_TOKEN_INVALID");
});

test("in a cluster, a credential can be exchanged at one process, and the token is valid at all", async ({
  cluster,
  sharedDirectory,
}) => {
  const file = join(sharedDirectory, "adc.json");
  const whose = ["--config", cluster.configFile, "--principal", VIEWER, "--out", file];
  await command("credentials", "create", ...whose);
  const credentials = JSON.parse(await readFile(file, "utf8"));
  const body = new URLSearchParams({
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    subject_token: credentials.subject_token,
    subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
  });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const exchanged = await send(cluster.servers[1]?.integrityUrl ?? "", "/oauth2/token", {
    method: "POST",
    headers,
    body: body.toString(),
  });
  const { access_token: token } = JSON.parse(exchanged.text);
  for (const { integrityUrl, messagingDataUrl } of [...cluster.servers, cluster.balancer]) {
    expect((await send(integrityUrl, configOf(IOS_APP), { token })).status).toBe(200);
    expect((await send(messagingDataUrl, listOf("some"), { token })).status).toBe(200);
  }
});

test("in a cluster, a configuration that was changed through one process is visible there immediately, and soon in all processes", async ({
  cluster,
  tokens: { editor },
}) => {
  const ttlAt = async (url: Parameters<typeof readConfig>[0]) =>
    (await readConfig(url, editor, IOS_APP)).tokenTtl;
  for (const [index, server] of cluster.servers.entries()) {
    const tokenTtl = `${7_200 + index}s`;
    expect((await patch(server, editor, IOS_APP, { tokenTtl })).status).toBe(200);
    expect(await ttlAt(server)).toBe(tokenTtl);
    const others = cluster.servers.filter((other) => other !== server);
    for (const other of others) await poll(() => ttlAt(other), tokenTtl);
  }
});

test("in a cluster, only one change with an etag from another process succeeds, however old this process's copy is", async ({
  cluster: { servers },
  tokens: { editor },
}) => {
  const etagOf = ({ text }: HttpResponse): string => JSON.parse(text).etag;
  const [first] = await Promise.all(
    servers.slice(0, 1).map((server) => patch(server, editor, IOS_APP, { tokenTtl: "3600s" })),
  );
  const etags = [etagOf(first as HttpResponse)];
  for (const [index, server] of [...servers, ...servers].entries()) {
    const body = { tokenTtl: `${3_601 + index}s`, etag: etags.at(-1) };
    const changed = await patch(server, editor, IOS_APP, body);
    expect(changed.status).toBe(200);
    etags.push(etagOf(changed));
    const next = servers[(index + 1) % servers.length] as (typeof servers)[number];
    const late = await patch(next, editor, IOS_APP, body);
    expect(errorOf(late.text).status).toBe("ABORTED");
  }
  expect(new Set(etags).size).toBe(7);
});

test("in a cluster, the console works through a load balancer that alternates between processes", async ({
  asked,
  cluster,
  tokens,
  onTestFinished,
}) => {
  const browser = await sharedChromium();
  onTestFinished(() => browser.close());
  const problems: string[] = [];
  const page = await openWatchedPage(await openContext(browser), problems);
  const logged = cluster.servers.map(({ log }) => log().length);
  const [[app = "", lines = []] = []] = asked.apps;
  const days = { from: "2025-03-01", to: "2025-03-31" };
  const view = new URLSearchParams({ project: PROJECT.id, app, tab: "entries", ...days });
  const { messagingDataUrl } = cluster.balancer;
  await page.goto(`${messagingDataUrl}/console/?${view}`);
  await signIn(page, tokens.viewer);
  await page.getByRole("table", { name: "Entries" }).waitFor();
  const table = await readTable(page, "Entries");
  const [dates, labels] = ["Day", "Label"].map((heading) => columnOf(table, heading));
  const listed = dates?.map((date, row) => `${date} ${labels?.[row]}`.replace(/ \(no label\)$/, " "));
  expect(listed).toEqual(lines.map((line) => entryName(JSON.parse(line))));
  // One process signed the token, and every process accepts it.
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("rowheader", { name: IOS_APP }).waitFor();
  // Requests for the page's files also alternate between processes, so one process may get all file requests. A random
  // number of additional requests directs the next view's calls to different processes.
  await poll(
    async () => {
      for (let left = Math.floor(Math.random() * 3); left > 0; left--)
        await send(messagingDataUrl, "/console/");
      await page.reload();
      await page.getByRole("rowheader", { name: IOS_APP }).waitFor();
      return cluster.servers.map(({ log }, server) =>
        /"operation":"\w+","protocol":"http".*"status":200/.test(log().slice(logged[server])),
      );
    },
    (reached) => !reached.includes(false),
  );
  expect(problems).toEqual([]);
});

test("waybill doctor finds no problem with a cluster's databases and clocks", async ({ cluster }) => {
  const { stdout } = await runInProcess(["doctor", "--config", cluster.configFile]);
  for (const database of ["ClickHouse", "PostgreSQL"])
    expect(stdout).toMatch(new RegExp(`^ok {7}${database}.*: version \\d`, "m"));
  // ClickHouse has the real date even if the tests have another one (scripts/test-anywhere.mjs).
  const hasRealDate = process.env.WAYBILL_TEST_MOVED_DAYS === undefined;
  const others = hasRealDate ? ["ClickHouse", "PostgreSQL"] : ["PostgreSQL"];
  for (const other of others) expect(stdout).toMatch(new RegExp(`^ok {7}clock: .* ${other}`, "m"));
});

test("in a cluster, the googleapis client reads through the load balancer", async ({
  asked,
  cluster,
  tokens,
}) => {
  const { get, list } = googleClient(cluster.balancer, tokens.viewer);
  const name = nameOf(IOS_APP, PROJECT.id);
  expect((await get({ name })).data).toMatchObject({ name: nameOf(IOS_APP) });
  const [[app = "", lines = []] = []] = asked.apps;
  const entries: unknown[] = [];
  for (let pageToken: string | undefined; ; ) {
    const { data } = await list({ parent: `${PARENT}/${app}`, pageSize: 10, pageToken });
    entries.push(...(data.androidDeliveryData ?? []));
    pageToken = data.nextPageToken;
    if (pageToken === undefined) break;
  }
  expect(entries).toEqual(lines.map((line) => JSON.parse(line)));
});

test("in a cluster, gRPC clients import and read through the load balancer, with each call at another process", async ({
  cluster,
  tokens: { editor, viewer },
  onTestFinished,
}) => {
  const messagingData = new GrpcService(cluster.balancer.messagingDataUrl, MESSAGING_DATA);
  const integrity = new GrpcService(cluster.balancer.integrityUrl, INTEGRITY);
  onTestFinished(() => {
    messagingData.close();
    integrity.close();
  });
  const lines = [accepted("balanced", NOON), accepted("balanced", NOON, "x")];
  const upload = async () => {
    const { stream, response } = messagingData.upload("ImportMessageEvents", { token: editor });
    const data = Buffer.from(ndjson(lines));
    stream.end({ parent: `projects/${PROJECT.id}`, events: { contentType: "application/x-ndjson", data } });
    expect(await response).toEqual({ importedCount: "2" });
  };
  // On a busy machine, the load balancer may leave out a process for some seconds.
  const atEach = (operation: string, call: () => Promise<unknown>) =>
    poll(
      async () => {
        await call();
        return cluster.servers.map(({ log }) => log());
      },
      (logs) => logs.every((log) => log.includes(`"operation":"${operation}","protocol":"grpc"`)),
    );
  await atEach("ImportMessageEvents", upload);
  const list = async () => {
    const request = { parent: `${PARENT}/balanced` };
    const { message } = await messagingData.unary("ListAndroidDeliveryData", request, { token: viewer });
    return (message as { androidDeliveryData?: { data: { countMessagesAccepted: string } }[] })
      .androidDeliveryData;
  };
  const counts = async () =>
    (await Promise.all(cluster.servers.map(list))).map((entries) =>
      entries?.map(({ data }) => data.countMessagesAccepted),
    );
  await poll(counts, (listed) => JSON.stringify(listed) === JSON.stringify(new Array(3).fill(["1", "1"])));
  await atEach("ListAndroidDeliveryData", list);
  const { message } = await integrity.unary(
    "GetAppAttestConfig",
    { name: nameOf(IOS_APP) },
    { token: viewer },
  );
  expect(message).toMatchObject({ name: nameOf(IOS_APP) });
});

test("in a cluster, events that were imported through one process are listed by the others", async ({
  cluster,
  tokens: { editor },
}) => {
  for (const [index, server] of cluster.servers.entries()) {
    const app = `imported-at-${index}`;
    await importBatch(server, editor, ndjson([accepted(app, NOON), accepted(app, NOON)]));
    for (const other of cluster.servers) {
      const list = () => send(other.messagingDataUrl, listOf(app), { token: editor });
      await poll(list, ({ text }) => text.includes('"countMessagesAccepted":"2"'));
    }
  }
});
