import { Agent } from "node:http";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { jwksServer } from "../../src/auth/testing/jwks-server.js";
import { signingKey } from "../../src/auth/testing/signing-key.js";
import { closedAtEnd } from "../support/closing.js";
import { accepted, listOf } from "../support/data/delivery-data.js";
import { ndjson, postEvents } from "../support/data/import.js";
import { patch } from "../support/data/integrity.js";
import { call, createProject, REGISTRY_CONFIG, ROOT } from "../support/data/registry.js";
import { send } from "../support/http/exchange.js";
import { poll } from "../support/poll.js";
import { test as serving } from "../support/servers/process-fixtures.js";
import { ANDROID_APP, BASE_CONFIG, EDITOR, IOS_APP, PROJECT, VIEWER } from "../support/servers/project.js";
import { linesOf, reloadConfig } from "../support/servers/reload-config.js";

const NEWS = { id: "news", number: "300000000003" } as const;
/** A project without events. */
const EMPTY = { id: "empty-project", number: "300000000004" } as const;
const NEWS_APP = "1:300000000003:ios:0a1b2c3d4e5f";
const ISSUER = "https://accounts.example.com";
const BODY = ndjson([accepted(ANDROID_APP, "2026-01-02T20:00:00Z")]);

const test = serving
  .extend("key", { scope: "file" }, () => signingKey("key"))
  .extend("published", { scope: "file" }, async ({ key }, { onCleanup }) =>
    closedAtEnd(await jwksServer(key), onCleanup),
  )
  /** A token of the issuer that some tests configure. */
  .extend(
    "issuedToken",
    ({ key }) =>
      (principal: string) =>
        key.sign({
          iss: ISSUER,
          aud: "waybill",
          sub: principal,
          scope: "https://www.googleapis.com/auth/platform",
          exp: Math.floor(Date.now() / 1000) + 600,
        }),
  );

/** Each test begins with the same config in the shared server, which keeps earlier events and stored changes. */
test.beforeEach(async ({ server }) => {
  await reloadConfig(server, BASE_CONFIG);
});

const configOf = (app: string, project: string): string =>
  `/v1/projects/${project}/apps/${app}/appAttestConfig`;

const outcomes = (lines: Awaited<ReturnType<typeof reloadConfig>>) =>
  lines.filter(({ msg }) => msg.includes("config file"));

test("after SIGHUP, projects, apps and roles in the changed file are effective", async ({ server }) => {
  const [editor, viewer] = [await server.token(EDITOR), await server.token(VIEWER)];
  const app = { id: NEWS_APP, appAttestConfig: { tokenTtl: "7200s" } };
  const lines = await reloadConfig(server, {
    projects: [
      { ...PROJECT, displayName: "Tests", apps: [{ id: IOS_APP, appAttestConfig: { tokenTtl: "1800s" } }] },
      { ...NEWS, apps: [app] },
    ],
    access: [
      { principal: EDITOR, projects: [PROJECT.id], role: "viewer" },
      { principal: VIEWER, projects: "*", role: "editor" },
    ],
  });
  expect(outcomes(lines)).toMatchObject([
    {
      level: "info",
      msg: "reloaded the config file",
      projects: { added: ["news"], removed: ["other-project"], changed: ["test-project"] },
      apps: {
        added: [`news/${NEWS_APP}`],
        removed: ["test-project/app-7d"],
        changed: [`test-project/${IOS_APP}`],
      },
      access: {
        added: [`viewer ${EDITOR} on test-project`, `editor ${VIEWER} on *`],
        removed: [`editor ${EDITOR} on test-project`, `viewer ${VIEWER} on test-project`],
      },
    },
  ]);
  const ttlOf = async (target: string) =>
    JSON.parse((await send(server.integrityUrl, target, { token: viewer })).text);
  expect(await ttlOf(configOf(NEWS_APP, NEWS.id))).toMatchObject({ tokenTtl: "7200s" });
  expect(await ttlOf(configOf(IOS_APP, PROJECT.id))).toMatchObject({ tokenTtl: "1800s" });
  expect((await send(server.integrityUrl, configOf("app-7d", PROJECT.id), { token: viewer })).status).toBe(
    404,
  );
  expect((await postEvents(server, editor, BODY)).status).toBe(403);
  expect((await postEvents(server, viewer, BODY, { project: NEWS.id })).status).toBe(200);
  const target = listOf(ANDROID_APP, NEWS.id);
  await poll(
    () => send(server.messagingDataUrl, target, { token: viewer }),
    ({ text }) => text.includes("androidDeliveryData"),
  );
  await poll(
    () => fetch(`${server.adminUrl}/metrics`).then((response) => response.text()),
    (metrics) => metrics.includes(`project="${NEWS.number}"`),
  );
});

test("a reload logs each tokenTtl in the file that a stored one overrides", async ({ server }) => {
  expect((await patch(server, await server.token(EDITOR), IOS_APP, { tokenTtl: "7200s" })).status).toBe(200);
  const [project, ...others] = BASE_CONFIG.projects;
  const apps = [{ id: IOS_APP, appAttestConfig: { tokenTtl: "1800s" } }];
  const before = server.log().length;
  await reloadConfig(server, { ...BASE_CONFIG, projects: [{ ...project, apps }, ...others] });
  const warnings = await poll(
    () => linesOf(server.log().slice(before)).filter(({ level }) => level === "warn"),
    (lines) => lines.length > 0,
  );
  expect(warnings.map(({ msg }) => msg)).toEqual([
    expect.stringMatching(
      new RegExp(`is 7200s, as ${EDITOR} set it .* this overrides the 1800s in the config file$`),
    ),
  ]);
});

test("a rule for an unknown project is logged, and applies once the project was created", async ({
  server,
}) => {
  await reloadConfig(server, REGISTRY_CONFIG);
  const guest = await server.token("guest@example.com");
  const rule = { principal: "guest@example.com", projects: ["later-project"], role: "viewer" };
  const lines = await reloadConfig(server, {
    ...REGISTRY_CONFIG,
    access: [...REGISTRY_CONFIG.access, rule],
  });
  const path = `access[${REGISTRY_CONFIG.access.length}].projects[0]`;
  const problem = `${path}: there is no project later-project; the entry applies once it exists`;
  await poll(
    () => linesOf(server.log()).filter(({ level }) => level === "warn"),
    (warnings) => warnings.some((line) => line.problem === problem),
  );
  expect(outcomes(lines)[0]).toMatchObject({ msg: "reloaded the config file" });
  expect((await call(server, guest, "GET /v1beta1/projects/later-project")).status).toBe(403);
  await createProject(server, await server.token(ROOT), "later-project");
  expect((await call(server, guest, "GET /v1beta1/projects/later-project")).status).toBe(200);
});

test("an invalid config file is logged with a line for each problem, and changes nothing", async ({
  server,
}) => {
  const [editor, viewer] = [await server.token(EDITOR), await server.token(VIEWER)];
  const missing = join(dirname(server.dataDir), "none.secret");
  const files: readonly (readonly [object | string, readonly string[]])[] = [
    ["projects: [", ["waybill.yaml: "]],
    [{ ...BASE_CONFIG, projects: [], acces: [] }, ["acces: is not a known key"]],
    [
      {
        projects: BASE_CONFIG.projects.slice(0, 1),
        access: [
          { principal: "a", issuer: "gone", projects: "*", role: "viewer" },
          { principal: "a", issuer: "lost", projects: "*", role: "viewer" },
        ],
      },
      ["access[0].issuer: there is no issuer gone", "access[1].issuer: there is no issuer lost"],
    ],
    [
      {
        access: [],
        auth: {
          issuers: [
            { issuer: "a", introspectionUrl: "https://a.example", clientId: "a", clientSecretFile: missing },
            { issuer: server.integrityUrl, jwksUri: "https://b.example" },
          ],
        },
        tls: { certificate: missing, key: missing },
      },
      [`tls.certificate: ${missing} cannot be read`, "auth.issuers[0].clientSecretFile: cannot be read"],
    ],
    [
      { access: [], auth: { issuers: [{ issuer: server.integrityUrl, jwksUri: "https://b.example" }] } },
      [`auth.issuers: ${server.integrityUrl} is the local issuer`],
    ],
  ];
  for (const [config, problems] of files) {
    const before = server.log().length;
    await reloadConfig(server, config);
    await poll(
      () => linesOf(server.log().slice(before)).filter(({ level }) => level === "error"),
      ({ length }) => length === problems.length,
    );
    const lines = outcomes(linesOf(server.log().slice(before)));
    expect(lines.map(({ problem }) => problem)).toEqual(
      problems.map((problem) => expect.stringContaining(problem)),
    );
  }
  expect((await postEvents(server, editor, BODY)).status).toBe(200);
  expect((await send(server.messagingDataUrl, listOf(ANDROID_APP), { token: viewer })).status).toBe(200);
});

test("tokens of a removed issuer are rejected immediately, and accepted after the issuer was added again", async ({
  server,
  published,
  issuedToken,
}) => {
  const trusted = {
    ...BASE_CONFIG,
    auth: { issuers: [{ issuer: ISSUER, jwksUri: published.uri }] },
  };
  await reloadConfig(server, trusted);
  const token = await issuedToken(VIEWER);
  const list = () => send(server.messagingDataUrl, listOf(ANDROID_APP), { token });
  expect((await list()).status).toBe(200);
  const { fetches } = published;
  expect(
    outcomes(await reloadConfig(server, { ...trusted, projects: [...BASE_CONFIG.projects, NEWS] })),
  ).toMatchObject([{ projects: { added: [NEWS.id] } }]);
  expect((await list()).status).toBe(200);
  expect(published.fetches).toBe(fetches);
  expect(outcomes(await reloadConfig(server, BASE_CONFIG))).toMatchObject([
    { issuers: { removed: [ISSUER] } },
  ]);
  const { status, text } = await list();
  expect([status, errorOf(text).metadata.problem]).toEqual([401, "ISSUER_NOT_TRUSTED"]);
  expect(outcomes(await reloadConfig(server, trusted))).toMatchObject([{ issuers: { added: [ISSUER] } }]);
  expect((await list()).status).toBe(200);
  const changed = { issuers: [{ issuer: ISSUER, jwksUri: published.uri, audience: ["other"] }] };
  expect(outcomes(await reloadConfig(server, { ...trusted, auth: changed }))).toMatchObject([
    { issuers: { changed: [ISSUER] } },
  ]);
  expect(errorOf((await list()).text).metadata.problem).toBe("AUDIENCE_MISMATCH");
});

test("changes of other keys are logged as changes that need a restart, without values", async ({
  server,
}) => {
  const before = server.log().length;
  const secret = Buffer.alloc(32, "secret").toString("base64");
  const mirror = { url: "https://upstream.example.com" };
  const config = {
    ...BASE_CONFIG,
    projects: [...BASE_CONFIG.projects, { ...EMPTY, deliveryData: { source: "mirror", mirror } }],
    access: [{ principal: EDITOR, projects: "*", role: "editor" }],
    pageTokens: { key: secret },
    messagingData: { settleDelay: "1h" },
  };
  await reloadConfig(server, config);
  const warnings = () =>
    linesOf(server.log().slice(before)).filter(({ msg }) => msg.includes("need a restart"));
  await poll(() => warnings().length, 2);
  expect(warnings()).toMatchObject([
    { level: "warn", keys: ["pageTokens.key", "messagingData.settleDelay"] },
    { level: "warn", projects: [EMPTY.id] },
  ]);
  expect(server.log()).not.toContain(secret);
  const { status, text } = await postEvents(server, await server.token(EDITOR), BODY, { project: EMPTY.id });
  expect([status, errorOf(text).reason]).toEqual([400, "PROJECT_IS_MIRRORED"]);
  expect(outcomes(await reloadConfig(server, config))).toMatchObject([
    { level: "info", msg: "reloaded the config file without changes" },
  ]);
});

test("a project that has events cannot become a mirror", async ({ server }) => {
  const editor = await server.token(EDITOR);
  expect((await postEvents(server, editor, BODY)).status).toBe(200);
  const [project, ...others] = BASE_CONFIG.projects;
  const mirror = { url: "https://upstream.example.com" };
  const projects = [{ ...project, deliveryData: { source: "mirror", mirror } }, ...others];
  await poll(
    () => reloadConfig(server, { ...BASE_CONFIG, projects }),
    (lines) =>
      lines.some(({ problem }) =>
        String(problem).startsWith("projects[0].deliveryData.source: must be events"),
      ),
  );
  expect((await postEvents(server, editor, BODY)).status).toBe(200);
});

test("reloading the config file neither drops nor rejects requests", async ({ server }) => {
  const viewer = await server.token(VIEWER);
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  let isDone = false;
  const statuses: number[] = [];
  const ask = async (): Promise<void> => {
    while (!isDone) {
      statuses.push(
        (await send(server.messagingDataUrl, listOf(ANDROID_APP), { token: viewer, agent })).status,
      );
    }
  };
  const asking = Promise.all(Array.from({ length: 4 }, ask));
  for (let round = 0; round < 10; round++) {
    const projects = round % 2 === 0 ? [...BASE_CONFIG.projects, NEWS] : BASE_CONFIG.projects;
    await reloadConfig(server, { ...BASE_CONFIG, projects });
  }
  isDone = true;
  await asking;
  agent.destroy();
  expect(new Set(statuses)).toEqual(new Set([200]));
});
