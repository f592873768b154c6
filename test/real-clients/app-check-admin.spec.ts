import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { runInProcess } from "../../src/cli/testing/run-in-process.js";
import { send } from "../support/http/exchange.js";
import { packagePath } from "../support/package-path.js";
import { it as base } from "../support/servers/fixtures.js";
import { BASE_CONFIG, EDITOR, IOS_APP, PROJECT } from "../support/servers/project.js";

const EMULATED = {
  ...BASE_CONFIG,
  integrity: { tokens: { issuer: "https://firebaseappcheck.googleapis.com", emulation: true } },
};
const APP = `projects/${PROJECT.id}/apps/${IOS_APP}`;

/** Redirects Admin SDKs to the server, because their App Check address is fixed. */
const firebaseAdmin = `
import { Agent } from "node:https";
import { connect } from "node:net";
import { readFileSync } from "node:fs";
import { cert, initializeApp } from "firebase-admin/app";
import { getAppCheck } from "firebase-admin/app-check";

const { url, keyFile, accessToken, appId, token } = JSON.parse(process.env.INPUT);
const { hostname, port } = new URL(url);
const httpAgent = new Agent();
httpAgent.createConnection = () => connect({ host: hostname, port: Number(port) });
const credential = cert(JSON.parse(readFileSync(keyFile, "utf8")));
credential.getAccessToken = async () => ({ access_token: accessToken, expires_in: 3600 });
const appCheck = getAppCheck(initializeApp({ credential, httpAgent }));
const verified = await appCheck.verifyToken(token);
const created = await appCheck.createToken(appId, { ttlMillis: 1_800_000, limitedUse: false });
const once = [];
for (let time = 0; time < 2; time++)
  once.push((await appCheck.verifyToken(created.token, { consume: true })).alreadyConsumed);
const provider = (await appCheck.verifyToken(created.token)).token.provider;
console.log(JSON.stringify({ appId: verified.appId, ttlMillis: created.ttlMillis, provider, once }));
`;

/** The package uses the global agent. Its ES modules are only for bundlers. */
const authEdge = `
import { readFileSync } from "node:fs";
import { globalAgent } from "node:https";
import { createRequire } from "node:module";
import { connect } from "node:net";
const { getAppCheck } = createRequire(process.cwd() + "/")("next-firebase-auth-edge/app-check");

const { url, keyFile, token } = JSON.parse(process.env.INPUT);
const { hostname, port } = new URL(url);
globalAgent.createConnection = () => connect({ host: hostname, port: Number(port) });
const { project_id: projectId, client_email: clientEmail, private_key: privateKey } = JSON.parse(readFileSync(keyFile, "utf8"));
const { verifyToken } = getAppCheck({ serviceAccount: { projectId, clientEmail, privateKey } });
console.log(JSON.stringify({ appId: (await verifyToken(token, {})).appId }));
`;

const it = base
  .override("config", EMULATED)
  /** Runs a program of a public client with a debug app token, and returns its output. */
  .extend(
    "outputOf",
    ({ server, editor, viewer, directory }) =>
      async (program: string): Promise<unknown> => {
        const keyFile = join(directory, "key.json");
        const flags = ["--principal", EDITOR, "--project", PROJECT.id, "--data-dir", server.dataDir];
        const { code, stderr } = await runInProcess([
          "credentials",
          "create-key",
          ...flags,
          "--out",
          keyFile,
        ]);
        expect([code, stderr]).toEqual([0, expect.stringContaining(`Key of ${EDITOR}`)]);
        const debugToken = randomUUID();
        const post = (path: string, body: object, token?: string) =>
          send(server.integrityUrl, path, {
            method: "POST",
            token,
            headers: { "content-type": "application/json" },
            body: JSON.stringify(body),
          });
        await post(`/v1/${APP}/debugTokens`, { displayName: "CI", token: debugToken }, editor);
        const { token } = JSON.parse((await post(`/v1/${APP}:exchangeDebugToken`, { debugToken })).text);
        const input = { url: server.integrityUrl, keyFile, accessToken: viewer, appId: IOS_APP, token };
        const { stdout } = await promisify(execFile)(
          process.execPath,
          ["--input-type=module", "-e", program],
          {
            cwd: packagePath("test/clients"),
            env: { ...process.env, INPUT: JSON.stringify(input) },
          },
        );
        return JSON.parse(stdout);
      },
  );

it("firebase-admin verifies, creates and consumes tokens of an emulated service", async ({ outputOf }) => {
  expect(await outputOf(firebaseAdmin)).toEqual({
    appId: IOS_APP,
    ttlMillis: 1_800_000,
    provider: "custom",
    once: [false, true],
  });
});

it("next-firebase-auth-edge verifies tokens of an emulated service", async ({ outputOf }) => {
  expect(await outputOf(authEdge)).toEqual({ appId: IOS_APP });
});
