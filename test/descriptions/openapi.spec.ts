import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect } from "vitest";
import { accepted, incidentsOf, listOf } from "../support/data/delivery-data.js";
import { importEvents, importInto, ndjson } from "../support/data/import.js";
import { type Sent, send } from "../support/http/exchange.js";
import { test as serving } from "../support/servers/fixtures.js";
import { ANDROID_APP, EDITOR, IOS_APP, OTHER_PROJECT, PROJECT, VIEWER } from "../support/servers/project.js";

const CLIENTS = fileURLToPath(new URL("../clients/node_modules/", import.meta.url));
const REDOCLY = join(CLIENTS, "@redocly/cli/bin/cli.js");
const PRISM = join(CLIENTS, "@stoplight/prism-cli/dist/index.js");

type Api = "integrity" | "messagingData" | "registry";
type Caller = typeof EDITOR | typeof VIEWER;
type Json = { [key: string]: unknown };
const tokens = {} as Record<Caller, string>;
const urls = {} as Record<Api, string>;
const descriptions = {} as Record<Api, Json>;

const test = serving
  .extend(
    "save",
    { scope: "file" },
    ({ sharedDirectory }) =>
      async (name: string, description: Json): Promise<string> => {
        const file = join(sharedDirectory, `${name}.json`);
        await writeFile(file, JSON.stringify(description));
        return file;
      },
  )
  .extend(
    "lint",
    ({ sharedDirectory }) =>
      async (file: string): Promise<{ totals: object; problems: object[] }> => {
        const args = [REDOCLY, "lint", file, "--extends", "recommended", "--format", "json"];
        const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
        const output = promisify(execFile)(process.execPath, args, { env, cwd: sharedDirectory });
        // The exit code is 1 if there are findings.
        const { stdout } = await output.catch((error: unknown) => error as { stdout: string });
        return JSON.parse(stdout) as { totals: object; problems: object[] };
      },
  );

test.beforeAll(async ({ server }) => {
  urls.integrity = server.integrityUrl;
  urls.messagingData = server.messagingDataUrl;
  urls.registry = server.registryUrl;
  for (const api of ["integrity", "messagingData", "registry"] as const) {
    descriptions[api] = JSON.parse((await send(urls[api], "/openapi.json")).text) as Json;
  }
  for (const principal of [EDITOR, VIEWER] as const) tokens[principal] = await server.token(principal);
  const events = ["", "a", "b"].flatMap((label) => [
    { ...accepted(ANDROID_APP, "2026-01-02T20:00:00Z", label), messageId: `m${label}`, notification: true },
    { appId: ANDROID_APP, messageId: `m${label}`, eventTime: "2026-01-02T20:00:01Z", eventType: "DELIVERED" },
    {
      appId: ANDROID_APP,
      messageId: `m${label}`,
      eventTime: "2026-01-02T20:00:01Z",
      eventType: "PROXY_PROXIED",
    },
  ]);
  await importEvents(server, tokens[EDITOR], events, { appId: ANDROID_APP, entries: 3 });
});

describe("the linter Redocly", () => {
  test.for(["integrity", "messagingData", "registry"] as const)(
    "reports no problem in %s with its recommended rules",
    async (api, { lint, save }) => {
      const { totals, problems } = await lint(await save(api, descriptions[api]));
      expect(problems).toEqual([]);
      expect(totals).toMatchObject({ errors: 0, warnings: 0 });
    },
  );

  test("finds errors in an invalid description", async ({ lint, save }) => {
    const { problems } = await lint(
      await save("wrong", { ...descriptions.integrity, paths: { "/a/{b}": { get: {} } } }),
    );
    expect(problems.length).toBeGreaterThan(1);
  });
});

/**
 * Starts a public validator between client and server. It replaces responses that violate the description with
 * status 500.
 */
async function startValidator(
  file: string,
  upstream: string,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const process_ = spawn(process.execPath, [PRISM, "proxy", file, upstream, "--errors", "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(process_, "exit");
  const stop = async (): Promise<void> => {
    process_.kill("SIGKILL");
    await exited;
  };
  for await (const line of createInterface(process_.stdout)) {
    const [, url] = /listening on (http:\S+)/.exec(line) ?? [];
    if (url === undefined) continue;
    process_.stdout.resume();
    return { url, stop };
  }
  throw new Error("the validator has ended");
}

/** Makes a description strict: undescribed fields of messages and undescribed statuses become errors. */
function closed(description: Json): Json {
  const copy = structuredClone(description) as {
    paths: Record<string, Record<string, { responses?: Json }>>;
    components: { schemas: Record<string, Json> };
  };
  for (const item of Object.values(copy.paths)) {
    for (const { responses } of Object.values(item)) delete responses?.default;
  }
  for (const schema of Object.values(copy.components.schemas)) schema.additionalProperties = false;
  return copy as unknown as Json;
}

const NAME = `projects/${PROJECT.id}/apps/${IOS_APP}/appAttestConfig`;
const OTHER_NAME = `projects/${PROJECT.id}/apps/app-7d/appAttestConfig`;
const BATCH = `/v1/projects/${PROJECT.id}/apps/-/appAttestConfig:batchGet`;
const LIST = listOf(ANDROID_APP);
const EVENT = { appId: "app", messageId: "m", eventTime: "2026-01-02T20:00:00Z", eventType: "DELIVERED" };

const patch = (config: object, headers: Record<string, string> = {}): Sent => ({
  method: "PATCH",
  body: JSON.stringify(config),
  headers: { "content-type": "application/json", ...headers },
});
const post = (body: string, contentType = "application/x-ndjson"): Sent => ({
  method: "POST",
  body,
  headers: { "content-type": contentType },
});

describe("the validator Prism accepts the response", () => {
  const validators = {} as Record<Api, { url: string; stop: () => Promise<void> }>;
  test.beforeAll(async ({ save }) => {
    await Promise.all(
      (["integrity", "messagingData", "registry"] as const).map(async (api) => {
        const file = await save(`${api}-closed`, closed(descriptions[api]));
        validators[api] = await startValidator(file, urls[api]);
      }),
    );
  });
  afterAll(() => Promise.all(Object.values(validators).map(({ stop }) => stop())));

  // Prism blocks some requests itself: those without a token or with parameters of a wrong type. Other tests
  // cover them.
  test.each<[api: Api, target: string, status: number, sent?: Sent, by?: Caller]>([
    ["integrity", `/v1/${NAME}`, 200],
    ["integrity", `/v1/${NAME}?fields=tokenTtl&prettyPrint=true&alt=json&key=k&$.xgafv=2`, 200],
    ["integrity", `/v1/${NAME}`, 304, { headers: { "if-none-match": "*" } }],
    ["integrity", `/v1/${NAME}`, 412, { headers: { "if-match": '"old"' } }],
    ["integrity", `/v1/${NAME}?unknown=1`, 400],
    ["integrity", `/v1/${NAME}`, 401, { headers: { authorization: "Bearer x" } }],
    ["integrity", `/v1/${NAME.replace(PROJECT.id, OTHER_PROJECT.id)}`, 403],
    ["integrity", `/v1/${NAME.replace(IOS_APP, "missing")}`, 404],
    ["integrity", `${BATCH}?names=${NAME}&names=${OTHER_NAME}`, 200],
    ["integrity", BATCH, 200],
    ["integrity", `${BATCH}?names=${NAME.replace(IOS_APP, "missing")}`, 404],
    ["integrity", `${BATCH}?names=x`, 400],
    ["integrity", `/v1/${NAME}?updateMask=tokenTtl`, 200, patch({ tokenTtl: "7200s" })],
    ["integrity", `/v1/${NAME}?updateMask=*`, 200, patch({ name: NAME, tokenTtl: "3600s" })],
    ["integrity", `/v1/${NAME}`, 200],
    ["integrity", `/v1/${NAME}?updateMask=tokenTtl`, 400, patch({ tokenTtl: "1s" })],
    ["integrity", `/v1/${NAME}?updateMask=nothing`, 400, patch({ tokenTtl: "7200s" })],
    ["integrity", `/v1/${NAME}?updateMask=tokenTtl`, 409, patch({ tokenTtl: "7200s", etag: '"old"' })],
    [
      "integrity",
      `/v1/${NAME}?updateMask=tokenTtl`,
      412,
      patch({ tokenTtl: "7200s" }, { "if-match": '"old"' }),
    ],
    [
      "integrity",
      `/v1/${NAME}?updateMask=tokenTtl`,
      412,
      patch({ tokenTtl: "7200s" }, { "if-none-match": "*" }),
    ],
    ["messagingData", LIST, 200],
    ["messagingData", `${LIST}?pageSize=1`, 200],
    ["messagingData", `${LIST}?pageSize=1&fields=nextPageToken`, 200],
    ["messagingData", listOf("unknown-app"), 200],
    ["messagingData", listOf("-"), 200],
    ["messagingData", `${LIST}?filter=analyticsLabel%20%3D%20%22a%22`, 200],
    ["messagingData", `${LIST}?filter=color%20%3D%201`, 400],
    ["messagingData", LIST, 304, { headers: { "if-none-match": "*" } }],
    ["messagingData", LIST, 412, { headers: { "if-match": '"old"' } }],
    ["messagingData", `${LIST}?pageSize=-1`, 400],
    ["messagingData", `${LIST}?pageToken=x`, 400],
    ["messagingData", LIST, 401, { headers: { authorization: "Bearer x" } }],
    ["messagingData", listOf(ANDROID_APP, OTHER_PROJECT.id), 403],
    ["messagingData", `${LIST}:aggregate`, 200],
    ["messagingData", `${listOf("-")}:aggregate?groupBy=DATE&groupBy=ANALYTICS_LABEL`, 200],
    ["messagingData", `${LIST}:aggregate?groupBy=DATE&groupBy=DATE`, 400],
    ["messagingData", incidentsOf(ANDROID_APP), 200],
    ["messagingData", `${incidentsOf("-")}?pageSize=1&filter=NOT%20endDate:*`, 200],
    ["messagingData", `${incidentsOf("-")}?filter=date:*`, 400],
    ["messagingData", incidentsOf(ANDROID_APP, OTHER_PROJECT.id), 403],
    ["messagingData", "/v1beta1/projects?pageSize=1", 200],
    ["messagingData", `/v1beta1/projects/${PROJECT.id}/androidApps`, 200],
    ["messagingData", `/v1beta1/projects/${OTHER_PROJECT.id}/androidApps`, 403],
    ["integrity", `/v1/projects/${PROJECT.id}/apps?pageSize=1`, 200],
    ["registry", "/v1beta1/projects?pageSize=1", 200],
    ["registry", `/v1beta1/projects/${PROJECT.id}`, 200],
    ["registry", `/v1beta1/projects/${PROJECT.id}/iosApps`, 200],
    ["registry", `/v1beta1/projects/-/iosApps/${IOS_APP}`, 200],
    ["registry", `/v1beta1/projects/-/iosApps/${IOS_APP}/config`, 400],
    ["registry", `/v1beta1/projects/${PROJECT.id}:searchApps`, 200],
    ["registry", `/v1beta1/projects/${OTHER_PROJECT.id}:searchApps`, 403],
    ["registry", `/v1/projects/${PROJECT.id}/auditEntries`, 403],
    ["messagingData", importInto(), 200, post(ndjson([EVENT, accepted("app", "2026-01-02T20:00:00Z")]))],
    ["messagingData", importInto(), 400, post(`${JSON.stringify(EVENT)}\n{}\n`)],
    ["messagingData", importInto(), 403, post(ndjson([EVENT])), VIEWER],
  ])("%s %s %i", async (api, target, status, sent = {}, by = EDITOR) => {
    const headers = { authorization: `Bearer ${tokens[by]}`, ...sent.headers };
    const response = await send(validators[api].url, target, { ...sent, headers });
    expect(response.text).not.toContain("stoplight.io/prism/errors");
    expect(response.headers).not.toHaveProperty("sl-violations");
    expect(response.status).toBe(status);
  });
});

test("the validator Prism rejects a response that does not match the description", async ({ save }) => {
  const wrong = structuredClone(descriptions.integrity) as unknown as {
    components: { schemas: { AppAttestConfig: { properties: { tokenTtl: Json } } } };
  };
  wrong.components.schemas.AppAttestConfig.properties.tokenTtl = { type: "integer" };
  const validator = await startValidator(await save("other", wrong as unknown as Json), urls.integrity);
  const { status, text } = await send(validator.url, `/v1/${NAME}`, { token: tokens[EDITOR] });
  await validator.stop();
  expect(status).toBe(500);
  expect(text).toContain("tokenTtl must be integer");
});
