import { describe, expect } from "vitest";
import { jwksServer } from "../../src/auth/testing/jwks-server.js";
import { signingKey } from "../../src/auth/testing/signing-key.js";
import { listOf } from "../support/data/delivery-data.js";
import { importInto } from "../support/data/import.js";
import { type HttpResponse, send } from "../support/http/exchange.js";
import { test as serving } from "../support/servers/fixtures.js";
import { ANDROID_APP, BASE_CONFIG, IOS_APP, PROJECT, VIEWER } from "../support/servers/project.js";

const CONFIG = `/v1/projects/${PROJECT.id}/apps/${IOS_APP}/appAttestConfig`;
const LIST = listOf(ANDROID_APP);
const IMPORT = importInto();
const NDJSON = { "content-type": "application/x-ndjson" };
const JSON_TYPE = { "content-type": "application/json" };
const UPDATE = `${CONFIG}?updateMask=tokenTtl`;
const CHANGE = { method: "PATCH", as: "editor", body: "{}", headers: JSON_TYPE };
const BATCH = `/v1/projects/${PROJECT.id}/apps/-/appAttestConfig:batchGet`;
const DOWN = "https://down.example.com";
const tokens: Record<string, string> = {};

const test = serving
  .extend("narrow", { scope: "file" }, ({ server }) => server.token(VIEWER, "app-platform"))
  .extend("eager", { scope: "file" }, ({ server }) => server.token("eager@example.com"))
  .override("config", async () => {
    const down = await jwksServer();
    await down.close();
    return {
      ...BASE_CONFIG,
      auth: { issuers: [{ issuer: DOWN, jwksUri: down.uri }] },
      quota: { requestsPerMinute: 30 },
      messagingData: { import: { maxConcurrent: 1, maxLineBytes: 256, maxRequestBytes: 1024 } },
    };
  });

test.beforeAll(async ({ editor, viewer, noRole, narrow, eager }) => {
  const stray = await (await signingKey("k")).sign({ iss: DOWN, aud: "waybill", exp: 4e9, sub: VIEWER });
  Object.assign(tokens, { viewer, editor, noRole, narrow, eager, stray });
});

interface ExpectedError {
  readonly code: number;
  readonly status: string;
  readonly reason: string;
  /** The invalid fields, if any. */
  readonly fields?: readonly string[];
}

const DETAIL = "type.googleapis.com/google.rpc.";

/** Checks a complete error: format and headers, and that the metadata contains the variable parts of the message. */
function expectError({ status, headers, text }: HttpResponse, expected: ExpectedError, domain: string): void {
  expect(status).toBe(expected.code);
  expect(headers).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "cache-control": "private, no-cache",
    "x-content-type-options": "nosniff",
    "x-request-id": expect.any(String),
  });
  const fieldViolations = expected.fields?.map((field) => ({ field, description: expect.any(String) }));
  const response = JSON.parse(text);
  expect(response).toEqual({
    error: {
      code: expected.code,
      message: expect.stringMatching(/^\S.{10,}/s),
      status: expected.status,
      details: [
        {
          "@type": `${DETAIL}ErrorInfo`,
          reason: expected.reason,
          domain,
          ...("metadata" in response.error.details[0] && { metadata: expect.any(Object) }),
        },
        ...(fieldViolations ? [{ "@type": `${DETAIL}BadRequest`, fieldViolations }] : []),
      ],
    },
  });
  expect(expected.reason).toMatch(/^[A-Z][A-Z0-9_]{1,61}[A-Z0-9]$/);
  expect(text).not.toMatch(/node_modules|\.js|\.ts|at async|DuckDB|sqlite|Error:/);
}

const invalid = (reason: string, ...fields: string[]): ExpectedError => ({
  code: 400,
  status: "INVALID_ARGUMENT",
  reason,
  ...(fields.length > 0 && { fields }),
});
const other = (code: number, status: string, reason: string): ExpectedError => ({ code, status, reason });

type Case = [target: string, sent: { as?: string } & Parameters<typeof send>[2], expected: ExpectedError];

describe.each<["integrityUrl" | "messagingDataUrl", string, Case[]]>([
  [
    "integrityUrl",
    "integrity.waybill",
    [
      [CONFIG, {}, other(401, "UNAUTHENTICATED", "CREDENTIALS_MISSING")],
      [CONFIG, { token: "a.b.c" }, other(401, "UNAUTHENTICATED", "ACCESS_TOKEN_INVALID")],
      [CONFIG, { as: "noRole" }, other(403, "PERMISSION_DENIED", "PERMISSION_MISSING")],
      [`${CONFIG}?x=1`, { as: "viewer" }, invalid("UNKNOWN_PARAMETER", "x")],
      [`${CONFIG}?alt=x`, { as: "viewer" }, invalid("INVALID_PARAMETER", "alt")],
      [`${CONFIG}?fields=x`, { as: "viewer" }, invalid("INVALID_FIELD_SELECTION", "fields")],
      [CONFIG.replace(IOS_APP, "%ff"), { as: "viewer" }, invalid("MALFORMED_PATH", "name")],
      [`${CONFIG.replace(IOS_APP, "%ff")}?x=1`, { as: "viewer" }, invalid("MALFORMED_PATH", "name", "x")],
      [
        CONFIG.replace(IOS_APP, "%ff"),
        { as: "noRole" },
        other(403, "PERMISSION_DENIED", "PERMISSION_MISSING"),
      ],
      [CONFIG, { as: "viewer", body: "x" }, invalid("REQUEST_BODY_NOT_EMPTY", "body")],
      [CONFIG.replace(IOS_APP, "x"), { as: "viewer" }, other(404, "NOT_FOUND", "RESOURCE_NOT_FOUND")],
      ["/", {}, other(404, "NOT_FOUND", "ROUTE_NOT_FOUND")],
      [CONFIG, { method: "DELETE" }, other(405, "UNIMPLEMENTED", "METHOD_NOT_ALLOWED")],
      [CONFIG, { method: "PATCH" }, other(401, "UNAUTHENTICATED", "CREDENTIALS_MISSING")],
      [CONFIG, { method: "PATCH", as: "viewer" }, other(403, "PERMISSION_DENIED", "PERMISSION_MISSING")],
      [CONFIG, { method: "PATCH", as: "editor" }, invalid("REQUEST_BODY_MISSING", "body")],
      [CONFIG, CHANGE, invalid("UPDATE_MASK_MISSING", "updateMask")],
      [UPDATE, { ...CHANGE, body: '{"etag":"x"}' }, other(409, "ABORTED", "ETAG_MISMATCH")],
      [
        UPDATE,
        { ...CHANGE, headers: { ...JSON_TYPE, "if-match": '"x"' } },
        other(412, "ABORTED", "ETAG_MISMATCH"),
      ],
      [
        CONFIG,
        { as: "viewer", headers: { "if-match": '"x"' } },
        other(412, "ABORTED", "PRECONDITION_FAILED"),
      ],
      [UPDATE, { ...CHANGE, body: '{"tokenTtl":"1s"}' }, invalid("INVALID_TOKEN_TTL", "tokenTtl")],
      [UPDATE, { ...CHANGE, body: '{"tokenTtl":"1"}' }, invalid("INVALID_BODY", "tokenTtl")],
      [UPDATE, { ...CHANGE, body: "{" }, invalid("MALFORMED_JSON", "body")],
      [`${UPDATE},name`, CHANGE, invalid("IMMUTABLE_FIELD", "updateMask")],
      [`${UPDATE},etag`, CHANGE, invalid("OUTPUT_ONLY_FIELD", "updateMask")],
      [`${UPDATE},x`, CHANGE, invalid("UNKNOWN_FIELD", "updateMask")],
      [`${BATCH}?names=x`, { as: "viewer" }, invalid("INVALID_RESOURCE_NAME", "names[0]")],
      [
        `${BATCH}${"&names=x".repeat(101).replace("&", "?")}`,
        { as: "viewer" },
        invalid("TOO_MANY_NAMES", "names"),
      ],
      [
        `${BATCH}?names=projects/x/apps/x/appAttestConfig`,
        { as: "viewer" },
        invalid("PARENT_MISMATCH", "names[0]"),
      ],
      [`/${"x".repeat(20_000)}`, {}, other(414, "INVALID_ARGUMENT", "URI_TOO_LONG")],
      [CONFIG, { headers: { x: "x".repeat(40_000) } }, other(431, "INVALID_ARGUMENT", "HEADERS_TOO_LARGE")],
      [CONFIG, { headers: { expect: "x" } }, other(417, "INVALID_ARGUMENT", "EXPECTATION_FAILED")],
    ],
  ],
  [
    "messagingDataUrl",
    "messaging-data.waybill",
    [
      [LIST, {}, other(401, "UNAUTHENTICATED", "CREDENTIALS_MISSING")],
      [LIST, { as: "narrow" }, other(403, "PERMISSION_DENIED", "ACCESS_TOKEN_SCOPE_INSUFFICIENT")],
      [listOf(ANDROID_APP, "x"), { as: "viewer" }, other(403, "PERMISSION_DENIED", "PERMISSION_MISSING")],
      [listOf("%ff"), { as: "noRole" }, other(403, "PERMISSION_DENIED", "PERMISSION_MISSING")],
      [`${LIST}?pageSize=x`, { as: "viewer" }, invalid("INVALID_PARAMETER", "pageSize")],
      [`${LIST}?pageSize=-1`, { as: "viewer" }, invalid("INVALID_PAGE_SIZE", "pageSize")],
      [`${LIST}?pageSize=1&pageSize=1`, { as: "viewer" }, invalid("DUPLICATE_PARAMETER", "pageSize")],
      [`${LIST}?pageSize=%`, { as: "viewer" }, invalid("MALFORMED_QUERY", "pageSize")],
      [`${LIST}?callback=f`, { as: "viewer" }, invalid("PARAMETER_NOT_ALLOWED", "callback")],
      [`${LIST}?pageToken=x`, { as: "viewer" }, invalid("PAGE_TOKEN_INVALID", "pageToken")],
      [LIST, { as: "viewer", body: "x" }, invalid("REQUEST_BODY_NOT_EMPTY", "body")],
      [LIST, { as: "stray" }, other(503, "UNAVAILABLE", "ISSUER_KEYS_UNAVAILABLE")],
      ["/v1", {}, other(404, "NOT_FOUND", "ROUTE_NOT_FOUND")],
      [LIST, { method: "POST" }, other(405, "UNIMPLEMENTED", "METHOD_NOT_ALLOWED")],
      [IMPORT, { method: "POST", as: "viewer" }, other(403, "PERMISSION_DENIED", "PERMISSION_MISSING")],
      [
        IMPORT,
        { method: "POST", as: "editor", body: "{}", headers: { "content-type": "text/plain" } },
        other(415, "INVALID_ARGUMENT", "UNSUPPORTED_MEDIA_TYPE"),
      ],
      [
        IMPORT,
        { method: "POST", as: "editor", body: "{}", headers: { ...NDJSON, "content-encoding": "lzma" } },
        other(415, "INVALID_ARGUMENT", "UNSUPPORTED_ENCODING"),
      ],
      [
        IMPORT,
        { method: "POST", as: "editor", body: "{}", headers: { ...NDJSON, "content-encoding": "gzip" } },
        invalid("MALFORMED_ENCODING"),
      ],
      [
        IMPORT,
        { method: "POST", as: "editor", body: "x".repeat(200).concat("\n").repeat(6), headers: NDJSON },
        other(413, "INVALID_ARGUMENT", "REQUEST_TOO_LARGE"),
      ],
      [
        IMPORT,
        { method: "POST", as: "editor", body: "x\n", headers: NDJSON },
        invalid("INVALID_MESSAGE_EVENTS", "lines[1]"),
      ],
    ],
  ],
])("an error response of %s", (listener, domain, cases) => {
  test.for(cases)("%s %o: %o", async ([target, { as = "", ...sent }, expected], { server }) => {
    const response = await send(server[listener], target, { token: tokens[as], ...sent });
    expectError(response, expected, domain);
    if (expected.code === 503) expect(Number(response.headers["retry-after"])).toBeGreaterThan(0);
    if (expected.code === 405) expect(response.headers.allow).toBeDefined();
    if (expected.code === 401) expect(response.headers["www-authenticate"]).toMatch(/^Bearer /);
  });
});

test("a call that exceeds the quota returns Retry-After", async ({ server }) => {
  const statuses = new Set<number>();
  for (let count = 0; count < 30; count++) {
    statuses.add((await send(server.integrityUrl, CONFIG, { token: tokens.eager })).status);
  }
  expect(statuses).toEqual(new Set([403]));
  const response = await send(server.integrityUrl, CONFIG, { token: tokens.eager });
  expectError(response, other(429, "RESOURCE_EXHAUSTED", "RATE_LIMIT_EXCEEDED"), "integrity.waybill");
  expect(Number(response.headers["retry-after"])).toBeGreaterThan(0);
});
