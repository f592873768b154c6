import { generateKeyPairSync } from "node:crypto";
import { writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { join } from "node:path";
import { withResolver } from "@waybill/client/support";
import { importSPKI, jwtVerify } from "jose";
import { afterEach, describe, expect, it, test, vi } from "vitest";
import { fileDirectory } from "../../../test/support/test-directory.js";
import { type LoopbackServer, loopbackServer } from "../../http/testing/loopback-server.js";
import { MAX_UPSTREAM_TOKEN_MS } from "../../limits/data-limits.js";
import { GoogleCredentials } from "./google-credentials.js";
import { endpointOfGoogle } from "./testing/google-endpoint.js";

const SCOPE = "https://www.googleapis.com/auth/cloud-platform";
const URL_OF_PAGE = new URL("http://original.example/v1beta1/projects/p/androidApps/a/deliveryData");
const SUBJECT_TOKEN = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJtaXJyb3IifQ.c2lnbmF0dXJl";

const directory = fileDirectory();

let server: LoopbackServer | undefined;
afterEach(async () => {
  vi.unstubAllEnvs();
  await server?.close();
  server = undefined;
});

/** Writes a credentials file, and returns credentials that use it. */
async function credentialsOf(file: object | string): Promise<GoogleCredentials> {
  const path = join(directory, "credentials.json");
  await writeFile(path, typeof file === "string" ? file : JSON.stringify(file));
  return new GoogleCredentials({ file: path, scope: SCOPE, project: "p" });
}

const headersOf = (credentials: GoogleCredentials, signal = new AbortController().signal) =>
  credentials.headers(URL_OF_PAGE, signal);

/** An `external_account` with its subject token in a file and a real server as token endpoint. */
async function externalAccount(listener: RequestListener): Promise<GoogleCredentials> {
  server = await loopbackServer(listener);
  await writeFile(join(directory, "subject-token"), SUBJECT_TOKEN);
  return credentialsOf({
    type: "external_account",
    audience: "waybill",
    subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
    token_url: `${server.origin}/token`,
    credential_source: { file: join(directory, "subject-token") },
  });
}

/** Responds with the tokens `t1`, `t2`, … */
function tokenEndpoint(forms: URLSearchParams[] = []): RequestListener {
  return async (request, response) => {
    forms.push(new URLSearchParams((await request.toArray()).join("")));
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({ access_token: `t${forms.length}`, expires_in: 3600, token_type: "Bearer" }),
    );
  };
}

const respond =
  (status: number, body: object | string): RequestListener =>
  (_, response) =>
    response
      .writeHead(status, { "content-type": "application/json" })
      .end(typeof body === "string" ? body : JSON.stringify(body));

describe("GoogleCredentials with an external account", () => {
  it("exchanges the subject token for an access token, and uses it until it is dropped", async () => {
    const forms: URLSearchParams[] = [];
    const credentials = await externalAccount(tokenEndpoint(forms));
    const first = await Promise.all([headersOf(credentials), headersOf(credentials)]);
    expect(first.map((headers) => headers.get("authorization"))).toEqual(["Bearer t1", "Bearer t1"]);
    credentials.dropToken();
    expect((await headersOf(credentials)).get("authorization")).toBe("Bearer t2");
    expect(forms.map((form) => [form.get("subject_token"), form.get("scope")])).toEqual([
      [SUBJECT_TOKEN, SCOPE],
      [SUBJECT_TOKEN, SCOPE],
    ]);
  });

  test.each<[string, RequestListener, object]>([
    [
      "rejects the subject token, and quotes it",
      respond(400, { error: "invalid_grant", error_description: `${SUBJECT_TOKEN} has expired` }),
      { kind: "credentials", message: "no access token: HTTP status 400: invalid_grant: … has expired" },
    ],
    [
      "may not issue tokens",
      respond(403, { error: { code: 403, status: "PERMISSION_DENIED", message: "Not here." } }),
      { kind: "credentials", message: "no access token: HTTP status 403: Not here." },
    ],
    [
      "fails with HTML",
      respond(501, "<html>"),
      { kind: "unavailable", message: "no access token: HTTP status 501" },
    ],
    [
      "returns no token",
      respond(200, {}),
      { kind: "unavailable", message: "the token response has no access token" },
    ],
    [
      "responds with HTML",
      respond(200, "<html>"),
      { kind: "unavailable", message: "the token response has an unknown format" },
    ],
  ])("fails if the token endpoint %s", async (_, listener, expected) => {
    const credentials = await externalAccount(listener);
    const error = await headersOf(credentials).catch((error: unknown) => error);
    expect(error).toMatchObject({ name: "UpstreamError", ...expected });
    expect(Object(error).cause).toBeUndefined();
  });

  it("fails if the token endpoint cannot be reached", async () => {
    const credentials = await externalAccount(tokenEndpoint());
    await server?.close();
    server = undefined;
    await expect(headersOf(credentials)).rejects.toMatchObject({
      kind: "unavailable",
      message: "the token endpoint cannot be reached: ECONNREFUSED",
    });
  });

  it("returns a token after the token endpoint has recovered", async () => {
    const issue = tokenEndpoint();
    const responses = [respond(400, { error: "invalid_grant" }), issue];
    const credentials = await externalAccount((...exchange) => responses.shift()?.(...exchange));
    await expect(headersOf(credentials)).rejects.toThrow("invalid_grant");
    expect((await headersOf(credentials)).get("authorization")).toBe("Bearer t1");
  });

  it("fails when the signal aborts, and does not wait for that request again", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const issue = tokenEndpoint();
    const responses: RequestListener[] = [() => controller.abort(reason), issue];
    const credentials = await externalAccount((...exchange) => responses.shift()?.(...exchange));
    await expect(headersOf(credentials, controller.signal)).rejects.toBe(reason);
    expect((await headersOf(credentials)).get("authorization")).toBe("Bearer t1");
  });

  it("fails if it gets no token in time", async () => {
    const { promise: asking, resolve: asked } = withResolver();
    const credentials = await externalAccount(() => asked());
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const late = expect(headersOf(credentials)).rejects.toMatchObject({
        kind: "unavailable",
        message: "no access token arrived in time",
      });
      await asking;
      await vi.advanceTimersByTimeAsync(MAX_UPSTREAM_TOKEN_MS);
      await late;
    } finally {
      vi.useRealTimers();
    }
  });
});

const { privateKey, publicKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});
const SERVICE_ACCOUNT = {
  type: "service_account",
  project_id: "demo-project",
  private_key_id: "k1",
  private_key: privateKey,
  client_email: "mirror@demo-project.iam.gserviceaccount.com",
};

/** Verifies an assertion or token that the service account has signed. */
const verified = async (token: string) =>
  (await jwtVerify(token, await importSPKI(publicKey, "RS256"))).payload;

describe("GoogleCredentials with a service account", () => {
  it("exchanges a signed assertion for an access token", async () => {
    const forms: URLSearchParams[] = [];
    const endpoint = await endpointOfGoogle(tokenEndpoint(forms));
    server = endpoint;
    const credentials = await credentialsOf(SERVICE_ACCOUNT);
    expect((await headersOf(credentials)).get("authorization")).toBe("Bearer t1");
    expect((await headersOf(credentials)).get("authorization")).toBe("Bearer t1");
    expect(endpoint.hosts).toEqual(["oauth2.googleapis.com:443"]);
    expect(await verified(forms[0]?.get("assertion") ?? "")).toMatchObject({
      iss: SERVICE_ACCOUNT.client_email,
      scope: SCOPE,
    });
  });

  it("fails if the assertion is rejected", async () => {
    const rejection = { error: "invalid_grant", error_description: "Invalid JWT Signature." };
    server = await endpointOfGoogle(respond(400, rejection));
    await expect(headersOf(await credentialsOf(SERVICE_ACCOUNT))).rejects.toMatchObject({
      kind: "credentials",
      message: "no access token: HTTP status 400: invalid_grant: Invalid JWT Signature.",
    });
  });

  it("signs tokens itself if the account is outside of Google's universe", async () => {
    const credentials = await credentialsOf({ ...SERVICE_ACCOUNT, universe_domain: "example.com" });
    const [, token = ""] = (await headersOf(credentials)).get("authorization")?.split(" ") ?? [];
    expect(await verified(token)).toMatchObject({ iss: SERVICE_ACCOUNT.client_email, scope: SCOPE });
  });
});

describe("GoogleCredentials without a file", () => {
  /** An environment without credentials, apart from the ones that a test adds. */
  function stubEnvironment(variables: Readonly<Record<string, string>>): void {
    const found = {
      GOOGLE_APPLICATION_CREDENTIALS: "",
      CLOUDSDK_CONFIG: directory,
      METADATA_SERVER_DETECTION: "none",
    };
    for (const [name, value] of Object.entries({ ...found, ...variables })) vi.stubEnv(name, value);
  }
  const defaults = new GoogleCredentials({ scope: SCOPE, project: "p" });

  it("gets a token from the metadata server", async () => {
    const targets: (string | undefined)[] = [];
    server = await loopbackServer((request, response) => {
      targets.push(request.url);
      response.writeHead(200, { "metadata-flavor": "Google", "content-type": "application/json" });
      response.end(JSON.stringify({ access_token: "t1", expires_in: 3600 }));
    });
    stubEnvironment({
      GCE_METADATA_HOST: server.origin.slice("http://".length),
      METADATA_SERVER_DETECTION: "assume-present",
    });
    expect((await headersOf(defaults)).get("authorization")).toBe("Bearer t1");
    expect(targets).toEqual([
      `/computeMetadata/v1/instance/service-accounts/default/token?scopes=${encodeURIComponent(SCOPE)}`,
    ]);
    defaults.dropToken();
  });

  it("reads the file that the environment variable names", async () => {
    await credentialsOf({ ...SERVICE_ACCOUNT, universe_domain: "example.com" });
    stubEnvironment({ GOOGLE_APPLICATION_CREDENTIALS: join(directory, "credentials.json") });
    expect((await headersOf(defaults)).get("authorization")).toMatch(/^Bearer eyJ/);
    defaults.dropToken();
  });

  test.each<[string, string, string]>([
    [
      "there are no credentials",
      "",
      "the credentials cannot be used: Could not load the default credentials.",
    ],
    ["the environment names a file that does not exist", "/no/such.json", "/no/such.json does not exist"],
  ])("fails if %s", async (_, path, message) => {
    stubEnvironment({ GOOGLE_APPLICATION_CREDENTIALS: path });
    await expect(headersOf(defaults)).rejects.toMatchObject({
      kind: "credentials",
      message: expect.stringContaining(message),
    });
  });
});

test.each<[string, object | string, string]>([
  ["that is a bare key", privateKey, "the credentials file is not a JSON object"],
  ["with an array", "[]", "the credentials file is not a JSON object"],
  ["of an unknown type", { type: "other" }, "does not contain a client_email field"],
  [
    "with a broken key",
    { ...SERVICE_ACCOUNT, private_key: "-----BEGIN s3cret" },
    "the credentials cannot be used",
  ],
  ["without required fields", { type: "external_account" }, "a field of the credentials file is absent"],
  [
    "with a subject token that does not exist",
    {
      type: "external_account",
      audience: "waybill",
      subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
      token_url: "http://127.0.0.1:1/token",
      credential_source: { file: "/no/such/token" },
    },
    "/no/such/token does not exist",
  ],
])("GoogleCredentials rejects a file %s, without quoting the file", async (_, file, message) => {
  const error = await headersOf(await credentialsOf(file)).catch((error: unknown) => error);
  expect(error).toMatchObject({ name: "UpstreamError", kind: "credentials" });
  expect(String(error)).toContain(message);
  expect(String(Object(error).stack)).not.toMatch(/BEGIN|s3cret/);
});

it("GoogleCredentials rejects a file that does not exist", async () => {
  const credentials = new GoogleCredentials({ file: "/no/such.json", scope: SCOPE, project: "p" });
  await expect(headersOf(credentials)).rejects.toMatchObject({
    kind: "credentials",
    message: "the credentials file cannot be read: ENOENT",
  });
});
