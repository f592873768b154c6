import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { patch } from "../support/data/integrity.js";
import { createProject, expectOk, REGISTRY_CONFIG, ROOT } from "../support/data/registry.js";
import { send } from "../support/http/exchange.js";
import { test as serving } from "../support/servers/process-fixtures.js";
import { EDITOR, IOS_APP, PROJECT } from "../support/servers/project.js";

const APP = `projects/${PROJECT.number}/apps/${IOS_APP}`;

const test = serving.override("config", REGISTRY_CONFIG);

/** A JWT's signature. The JWT is not valid without it. */
const signatureOf = (token: string): string => token.slice(token.lastIndexOf(".") + 1);

test("no secret of a call is in the audit log, the server's log, its metrics or its data", async ({
  server,
}) => {
  const [root, editor] = [await server.token(ROOT), await server.token(EDITOR)];
  const debugToken = randomUUID();
  const post = async (path: string, body: object, token?: string): Promise<Record<string, string>> => {
    const sent = { method: "POST", token, body: JSON.stringify(body) };
    const headers = { "content-type": "application/json" };
    const { status, text } = await send(server.integrityUrl, path, { ...sent, headers });
    expect(status, text).toBe(200);
    return JSON.parse(text);
  };

  await createProject(server, root, "secretive-project");
  expect((await patch(server, editor, IOS_APP, { tokenTtl: "7200s" })).status).toBe(200);
  await post(`/v1/${APP}/debugTokens`, { displayName: "CI", token: debugToken }, editor);
  const { token: appToken = "" } = await post(`/v1/${APP}:exchangeDebugToken`, { debugToken });
  for (const expected of [{}, { alreadyConsumed: true }]) {
    const path = `/v1beta/projects/${PROJECT.id}:verifyAppCheckToken`;
    expect(await post(path, { appCheckToken: appToken }, editor)).toEqual(expected);
  }
  const audit = JSON.stringify(await expectOk(server, root, "GET /v1/projects/-/auditEntries"));
  expect(audit).toContain("CreateDebugToken");
  const metrics = await (await fetch(`${server.adminUrl}/metrics`)).text();
  await server.stop();

  const files = readdirSync(server.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1"));
  const places = { audit, metrics, log: server.log(), output: server.output(), data: files.join("\n") };
  const secrets = {
    debugToken,
    root: signatureOf(root),
    editor: signatureOf(editor),
    appToken: signatureOf(appToken),
  };
  for (const [place, text] of Object.entries(places)) {
    const found = Object.entries(secrets).filter(([, secret]) => text.includes(secret));
    expect(found.map(([name]) => `${name} in ${place}`)).toEqual([]);
  }
});
