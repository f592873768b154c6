import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { REGISTRY_CONFIG, ROOT } from "../support/data/registry.js";
import { CA, postOverTls, TLS } from "../support/http/post-over-tls.js";
import { packagePath } from "../support/package-path.js";
import { createCredentials } from "../support/servers/credentials.js";
import { test as serving } from "../support/servers/fixtures.js";
import { IOS_APP, PROJECT, VIEWER } from "../support/servers/project.js";

const FIREBASE = packagePath("test/clients/node_modules/firebase-tools/lib/bin/firebase.js");

/** The tool's output with `--json`. */
interface Outcome {
  readonly status: "success" | "error";
  readonly result?: unknown;
  readonly error?: string;
}

const test = serving
  // The tool sends its token only over TLS.
  .override("config", { ...REGISTRY_CONFIG, tls: TLS })
  /** Runs the tool as a principal, with addresses and credentials as its only configuration. */
  .extend(
    "firebaseAs",
    ({ server, directory }) =>
      async (principal: string): Promise<(...args: readonly string[]) => Promise<Outcome>> => {
        const { path: credentials } = await createCredentials(server, principal);
        const env = {
          PATH: process.env.PATH,
          HOME: directory,
          // Disables the daily message and the update check.
          CI: "1",
          NODE_EXTRA_CA_CERTS: CA,
          GOOGLE_APPLICATION_CREDENTIALS: credentials,
          FIREBASE_API_URL: server.registryUrl,
          FIREBASE_APPCHECK_URL: server.integrityUrl,
          FIREBASE_RESOURCEMANAGER_URL: server.registryUrl,
        };
        return (...args) =>
          new Promise((resolve, reject) => {
            const line = [FIREBASE, ...args, "--non-interactive", "--json"];
            execFile(process.execPath, line, { cwd: directory, env }, (error, stdout, stderr) => {
              // Some commands show their progress first.
              const start = stdout.indexOf("{");
              if (start >= 0) resolve(JSON.parse(stdout.slice(start)) as Outcome);
              else reject(new Error(`firebase ${args.join(" ")}: ${stderr}`, { cause: error }));
            });
          });
      },
  );

const PROJECT_ID = "tools-project";
const inProject = ["--project", PROJECT_ID];

test("firebase-tools creates and lists projects and apps, and prints their configs", async ({
  firebaseAs,
}) => {
  const firebase = await firebaseAs(ROOT);
  const resultOf = async (...args: readonly string[]): Promise<unknown> => {
    const outcome = await firebase(...args);
    expect(outcome).toMatchObject({ status: "success" });
    return outcome.result;
  };
  expect(await resultOf("projects:create", PROJECT_ID, "--display-name", "Tools")).toMatchObject({
    projectId: PROJECT_ID,
    displayName: "Tools",
    state: "ACTIVE",
  });
  expect(await resultOf("projects:list")).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ projectId: PROJECT_ID }),
      expect.objectContaining({ projectId: PROJECT.id }),
    ]),
  );
  const create = (...args: readonly string[]) => resultOf("apps:create", ...args, ...inProject);
  const ios = await create("IOS", "Shop", "--bundle-id", "com.example.shop", "--app-store-id", "123456789");
  const android = await create("ANDROID", "Shop", "--package-name", "com.example.shop");
  const web = await create("WEB", "Shop");
  expect(ios).toMatchObject({ bundleId: "com.example.shop", appStoreId: "123456789" });
  expect(android).toMatchObject({ packageName: "com.example.shop" });
  const idOf = (app: unknown): string => (app as { appId: string }).appId;
  const listed = async (...args: readonly string[]) =>
    ((await resultOf("apps:list", ...args, ...inProject)) as unknown[]).map(idOf).sort();
  expect(await listed()).toEqual([ios, android, web].map(idOf).sort());
  expect(await listed("IOS")).toEqual([idOf(ios)]);
  const plist = { fileName: "GoogleService-Info.plist", fileContents: expect.stringContaining(idOf(ios)) };
  expect(await resultOf("apps:sdkconfig", "IOS", idOf(ios))).toMatchObject(plist);
  expect(await resultOf("apps:sdkconfig", "ANDROID", ...inProject)).toMatchObject({
    fileName: "google-services.json",
    fileContents: expect.stringContaining(idOf(android)),
  });
  expect(await resultOf("apps:sdkconfig", "WEB", ...inProject)).toMatchObject({
    sdkConfig: { projectId: PROJECT_ID, appId: idOf(web) },
  });
});

test("firebase-tools reports that a project id is in use", async ({ firebaseAs }) => {
  const firebase = await firebaseAs(ROOT);
  const { error } = await firebase("projects:create", PROJECT.id);
  expect(error).toContain(`there is already a project with ID ${PROJECT.id}`);
});

test("firebase-tools lists only a viewer's projects, and reports that the viewer cannot register apps", async ({
  firebaseAs,
}) => {
  const firebase = await firebaseAs(VIEWER);
  expect(await firebase("projects:list")).toMatchObject({
    status: "success",
    result: [expect.objectContaining({ projectId: PROJECT.id })],
  });
  const outcome = await firebase("apps:create", "WEB", "Shop", "--project", PROJECT.id);
  expect(outcome).toMatchObject({
    status: "error",
    error: expect.stringContaining("Failed to create Web app"),
  });
});

test("firebase-tools creates, lists, replaces and deletes debug tokens of apps", async ({
  server,
  firebaseAs,
}) => {
  const firebase = await firebaseAs(ROOT);
  const app = `projects/${PROJECT.number}/apps/${IOS_APP}`;
  const debugTokens = async (command: string, ...args: readonly string[]): Promise<unknown> => {
    const of = ["--project", PROJECT.id, "--app", IOS_APP];
    const outcome = await firebase(`appcheck:debugtokens:${command}`, ...args, ...of);
    expect(outcome).toEqual({ status: "success", result: outcome.result });
    return outcome.result;
  };
  const statusOf = async (debugToken: string) =>
    (await postOverTls(`${server.integrityUrl}/v1/${app}:exchangeDebugToken`, { debugToken })).status;
  const [first, second] = [randomUUID(), randomUUID()];
  const created = await debugTokens("create", first, "--display-name", "CI");
  expect(created).toMatchObject({ displayName: "CI", name: expect.stringContaining(`${app}/debugTokens/`) });
  expect(await debugTokens("list")).toEqual([created]);
  expect(await statusOf(first)).toBe(200);

  const replacement = await debugTokens("create", second, "--display-name", "CI", "--force");
  expect(await debugTokens("list")).toEqual([replacement]);
  expect([await statusOf(first), await statusOf(second)]).toEqual([403, 200]);

  await debugTokens("delete", (replacement as { name: string }).name, "--force");
  expect(await debugTokens("list")).toEqual([]);
  expect(await statusOf(second)).toBe(403);
});
