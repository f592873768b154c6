import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { configOf } from "../support/data/integrity.js";
import { CHANGES_CONFIG, readHistory } from "../support/data/integrity-changes.js";
import { type HttpResponse, type Sent, send } from "../support/http/exchange.js";
import { test as serving } from "../support/servers/fixtures.js";
import { EDITOR, NO_ROLE, VIEWER } from "../support/servers/project.js";

const tokens: Record<string, string> = {};

serving.override("config", CHANGES_CONFIG);

const test = serving.extend("change", ({ server }) => (more: Change): Promise<HttpResponse> => {
  const { target = configOf("rejected"), query = "updateMask=tokenTtl", as = "editor", ...sent } = more;
  return send(server.integrityUrl, `${target}?${query}`, {
    method: "PATCH",
    token: tokens[as],
    body: '{"tokenTtl":"7200s"}',
    ...sent,
    headers: { "content-type": "application/json", ...sent.headers },
  });
});

test.beforeAll(async ({ server }) => {
  tokens.editor = await server.token(EDITOR);
  tokens.narrow = await server.token(EDITOR, "app-platform");
  tokens.viewer = await server.token(VIEWER);
  tokens.noRole = await server.token(NO_ROLE);
});

test.afterAll(async ({ server }) => {
  expect(await readHistory(server.dataDir)).toEqual([]);
});

/** A valid request, except for these parts. */
interface Change extends Sent {
  readonly target?: string;
  readonly query?: string;
  /** Caller, by its token's name. */
  readonly as?: string;
}

describe("UpdateAppAttestConfig rejects", () => {
  const body = (tokenTtl: unknown) => ({ body: JSON.stringify({ tokenTtl }) });

  test.for<[sent: Change, reason: string, field: string, message: string]>([
    [{ query: "" }, "UPDATE_MASK_MISSING", "updateMask", "tokenTtl"],
    [{ query: "updateMask=" }, "UPDATE_MASK_MISSING", "updateMask", "tokenTtl"],
    [{ query: "updateMask=nope" }, "UNKNOWN_FIELD", "updateMask", '"nope"'],
    [{ query: "updateMask=tokenTtl,otherField" }, "UNKNOWN_FIELD", "updateMask", '"otherField"'],
    [{ query: "updateMask=token_ttl,other_field" }, "UNKNOWN_FIELD", "updateMask", '"other_field"'],
    [{ query: "updateMask=tokenttl" }, "UNKNOWN_FIELD", "updateMask", '"tokenttl"'],
    [{ query: "updateMask=tokenTtl.seconds" }, "UNKNOWN_FIELD", "updateMask", "token_ttl.seconds"],
    [{ query: "updateMask=name" }, "IMMUTABLE_FIELD", "updateMask", "name"],
    [{ query: "updateMask=*,name" }, "IMMUTABLE_FIELD", "updateMask", "name"],
    [{ query: "updateMask=etag" }, "OUTPUT_ONLY_FIELD", "updateMask", "etag"],
    [{ query: "updateMask=TokenTtl" }, "INVALID_PARAMETER", "updateMask", '"TokenTtl"'],
    [{ query: "updateMask=tokenTtl," }, "INVALID_PARAMETER", "updateMask", '""'],
    [{ query: "updateMask=tokenTtl&updateMask=tokenTtl" }, "DUPLICATE_PARAMETER", "updateMask", "repeated"],
    [{ query: "updateMask=tokenTtl&tokenTtl=5s" }, "UNKNOWN_PARAMETER", "tokenTtl", "tokenTtl"],
    [body("1799.999999999s"), "INVALID_TOKEN_TTL", "tokenTtl", "1800s"],
    [body("604800.000000001s"), "INVALID_TOKEN_TTL", "tokenTtl", "604800s"],
    [body("0s"), "INVALID_TOKEN_TTL", "tokenTtl", "1800s"],
    [body("-3600s"), "INVALID_TOKEN_TTL", "tokenTtl", "1800s"],
    [body("315576000000s"), "INVALID_TOKEN_TTL", "tokenTtl", "604800s"],
    [{ ...body("1s"), query: "updateMask=*" }, "INVALID_TOKEN_TTL", "tokenTtl", "1800s"],
    [body("3600"), "INVALID_BODY", "tokenTtl", "seconds"],
    [body("1h"), "INVALID_BODY", "tokenTtl", "seconds"],
    [body("3600s and more"), "INVALID_BODY", "tokenTtl", "seconds"],
    [body(""), "INVALID_BODY", "tokenTtl", "seconds"],
    [body(3600), "INVALID_BODY", "tokenTtl", "seconds"],
    [body({ seconds: 3600 }), "INVALID_BODY", "tokenTtl", "seconds"],
    [{ body: '{"tokenTTL":"3600s"}' }, "INVALID_BODY", "body", "tokenTTL"],
    [{ body: '{"tokenTtl":"3600s","token_ttl":"3600s"}' }, "INVALID_BODY", "tokenTtl", "multiple"],
    [{ body: '{"etag":1}' }, "INVALID_BODY", "etag", "string"],
    [{ body: '{"tokenTtl":' }, "MALFORMED_JSON", "body", "JSON"],
    [{ body: "[]" }, "INVALID_BODY", "body", ""],
  ])("%j: %s", async ([sent, reason, field, message], { change }) => {
    const { status, text } = await change(sent);
    expect(status).toBe(400);
    const error = errorOf(text);
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT", reason, fields: [field] });
    expect(error.message).toContain(message);
  });

  test.for<[sent: Change, status: number, reason: string]>([
    [{ token: "" }, 401, "CREDENTIALS_MISSING"],
    [{ as: "viewer" }, 403, "PERMISSION_MISSING"],
    [{ as: "noRole" }, 403, "PERMISSION_MISSING"],
    [{ as: "viewer", query: "updateMask=name" }, 403, "PERMISSION_MISSING"],
    [{ target: configOf("rejected", "other-project") }, 403, "PERMISSION_MISSING"],
    [{ target: configOf("nobody") }, 404, "RESOURCE_NOT_FOUND"],
    [{ target: configOf("REFUSED") }, 404, "RESOURCE_NOT_FOUND"],
    [{ target: configOf("nobody"), as: "narrow" }, 404, "RESOURCE_NOT_FOUND"],
    [{ target: `${configOf("rejected")}/` }, 404, "ROUTE_NOT_FOUND"],
    [{ method: "PUT" }, 405, "METHOD_NOT_ALLOWED"],
    [{ headers: { "content-type": "text/plain" } }, 415, "UNSUPPORTED_MEDIA_TYPE"],
    [{ body: JSON.stringify({ etag: "x".repeat(2 ** 20) }) }, 413, "BODY_TOO_LARGE"],
  ])("%j with %d %s", async ([sent, status, reason], { change }) => {
    const response = await change(sent);
    expect(response.status).toBe(status);
    expect(errorOf(response.text).reason).toBe(reason);
  });
});
