import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect } from "vitest";
import { createCredentials } from "../support/servers/credentials.js";
import { test as serving } from "../support/servers/fixtures.js";
import { ANDROID_APP, IOS_APP, NO_ROLE, PROJECT, VIEWER } from "../support/servers/project.js";

const SCOPES = "https://www.googleapis.com/auth";
const CLIENTS = fileURLToPath(new URL("../clients/", import.meta.url));

/**
 * A program such as a user of the public client might write. Only the addresses are specific to Waybill. It reads from
 * both services, and prints the results and the access tokens that the client fetched.
 */
const PROGRAM = `
import { google } from "googleapis";
const { integrityUrl, messagingDataUrl, scopes, name, parent } = JSON.parse(process.env.INPUT);
const auth = new google.auth.GoogleAuth({ scopes });
const client = await auth.getClient();
const tokens = [];
client.on("tokens", ({ access_token }) => tokens.push(access_token));
const configs = google.firebaseappcheck({ version: "v1", rootUrl: integrityUrl + "/", auth }).projects.apps.appAttestConfig;
const data = google.fcmdata({ version: "v1beta1", rootUrl: messagingDataUrl + "/", auth }).projects.androidApps.deliveryData;
const outcome = (call) => call.then(({ status, data }) => ({ status, data }), ({ status, message }) => ({ status, message }));
const calls = [
  await outcome(configs.get({ name })),
  await outcome(data.list({ parent })),
  await outcome(configs.get({ name, fields: "tokenTtl" })),
];
process.stdout.write(JSON.stringify({ calls, tokens, client: client.constructor.name }));
`;

interface Call {
  readonly status: number;
  readonly data?: unknown;
  readonly message?: string;
}
interface Output {
  readonly calls: readonly Call[];
  readonly tokens: readonly string[];
  readonly client: string;
}

const test = serving
  /** Runs the program with only the environment variable as its configuration. */
  .extend(
    "run",
    ({ server }) =>
      async (credentials: string, scopes: string | readonly string[]): Promise<Output> => {
        const { integrityUrl, messagingDataUrl } = server;
        const input = {
          integrityUrl,
          messagingDataUrl,
          scopes,
          name: `projects/${PROJECT.id}/apps/${IOS_APP}/appAttestConfig`,
          parent: `projects/${PROJECT.id}/androidApps/${ANDROID_APP}`,
        };
        const { stdout } = await promisify(execFile)(
          process.execPath,
          ["--input-type=module", "-e", PROGRAM],
          {
            cwd: CLIENTS,
            env: {
              PATH: process.env.PATH,
              INPUT: JSON.stringify(input),
              GOOGLE_APPLICATION_CREDENTIALS: credentials,
            },
          },
        );
        return JSON.parse(stdout) as Output;
      },
  );

const CONFIG = { name: `projects/${PROJECT.number}/apps/${IOS_APP}/appAttestConfig`, tokenTtl: "3600s" };

describe("Google's client library with GOOGLE_APPLICATION_CREDENTIALS", () => {
  test("gets a token automatically, and uses it while it is valid", async ({ server, run }) => {
    const { path } = await createCredentials(server, VIEWER);
    const { calls, tokens, client } = await run(path, `${SCOPES}/cloud-platform`);
    expect(calls).toEqual([
      { status: 200, data: CONFIG },
      { status: 200, data: {} },
      { status: 200, data: { tokenTtl: "3600s" } },
    ]);
    expect(tokens).toHaveLength(1);
    expect(client).toBe("IdentityPoolClient");
  });

  test("renews a token automatically before it expires", async ({ server, run }) => {
    // The client renews a token in its last five minutes, and these tokens live for four.
    const { path } = await createCredentials(server, VIEWER, "--ttl", "4m");
    const { calls, tokens } = await run(path, `${SCOPES}/cloud-platform`);
    expect(calls.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(tokens).size).toBe(3);
  });

  test("requests the scopes that the application names", async ({ server, run }) => {
    const { path } = await createCredentials(server, VIEWER);
    const { calls } = await run(path, [`${SCOPES}/firebase`]);
    expect(calls.map(({ status }) => status)).toEqual([200, 403, 200]);
    const both = await run(path, [`${SCOPES}/firebase`, `${SCOPES}/cloud-platform`]);
    expect(both.calls.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test("has exactly the principal's rights", async ({ server, run }) => {
    const { path } = await createCredentials(server, NO_ROLE);
    const { calls } = await run(path, `${SCOPES}/cloud-platform`);
    expect(calls.map(({ status }) => status)).toEqual([403, 403, 403]);
  });

  test("reports invalid credentials", async ({ server, run }) => {
    const { path } = await createCredentials(server, VIEWER, "--scope", "app-platform");
    const { calls, tokens } = await run(path, `${SCOPES}/cloud-platform`);
    expect(tokens).toEqual([]);
    const message = expect.stringMatching(
      /^Error code invalid_scope: The credential allows none of the requested scopes\./,
    );
    expect(calls).toEqual(Array(3).fill(expect.objectContaining({ message })));
  });
});
