import { create, toBinary } from "@bufbuild/protobuf";
import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { GetAppAttestConfigRequestSchema } from "../../src/gen/waybill/integrity/v1/integrity_pb.js";
import { MAX_ERROR_HEADER_BYTES, MAX_EXCERPT } from "../../src/limits/request-limits.js";
import { listOf } from "../support/data/delivery-data.js";
import { callFailureOf, envelope } from "../support/http/calls.js";
import { type HttpResponse, type Sent, send } from "../support/http/exchange.js";
import { exchangeHttp2 } from "../support/http/http2.js";
import { test as serving } from "../support/servers/fixtures.js";
import { ANDROID_APP, IOS_APP, PROJECT } from "../support/servers/project.js";

const GET = "/waybill.integrity.v1.IntegrityService/GetAppAttestConfig";
const CONFIG = `/v1/projects/${PROJECT.id}/apps/${IOS_APP}/appAttestConfig`;
const JSON_TYPE = { "content-type": "application/json" };
const FORM = {
  "content-type": "application/x-www-form-urlencoded",
  "x-http-method-override": "GET",
};
/** Maximum size of a JSON response about one field, in bytes. */
const MAX_RESPONSE_BYTES = 4 * 1024;

const sizeOf = (headers: object): number =>
  Object.entries(headers).reduce((size, [name, value]) => size + name.length + String(value).length + 4, 0);

/** A request message that names a configuration. */
function bodyOf(type: string, name: string): string | Buffer {
  if (type === "application/json") return JSON.stringify({ name });
  const message = toBinary(
    GetAppAttestConfigRequestSchema,
    create(GetAppAttestConfigRequestSchema, { name }),
  );
  return type === "application/proto" ? Buffer.from(message) : envelope(message);
}

const test = serving.extend("type", "application/grpc").extend(
  "call",
  ({ server, editor, type }) =>
    (name: string) =>
      exchangeHttp2(
        server.integrityUrl,
        {
          ":method": "POST",
          ":path": GET,
          "content-type": type,
          te: "trailers",
          authorization: `Bearer ${editor}`,
        },
        bodyOf(type, name),
      ),
);

describe.each(["application/grpc", "application/grpc-web+proto", "application/proto", "application/json"])(
  "an error about a name in a message of %s",
  (type) => {
    test.override("type", type);

    test.for<[length: number, letter: string, reason: string]>([
      [100, "p", "PERMISSION_MISSING"],
      [4_000, "p", "PERMISSION_MISSING"],
      [4_000, "世", "PERMISSION_MISSING"],
      [4_000, "\u{1f600}", "PERMISSION_MISSING"],
      [20_000, "p", "INVALID_RESOURCE_NAME"],
      [3_000_000, "p", "INVALID_RESOURCE_NAME"],
      [1_000_000, "世", "INVALID_RESOURCE_NAME"],
    ])("is short if %i repetitions of %s are the project", async ([length, letter, reason], { call }) => {
      const response = await call(`projects/${letter.repeat(length)}/apps/a/appAttestConfig`);
      expect(callFailureOf(response).reason).toBe(reason);
      expect(sizeOf(response.headers) + sizeOf(response.trailers)).toBeLessThan(MAX_ERROR_HEADER_BYTES);
      expect(response.bytes.length).toBeLessThan(MAX_ERROR_HEADER_BYTES);
    });

    test("is short if the app is unknown", async ({ call }) => {
      const response = await call(`projects/${PROJECT.id}/apps/${"a".repeat(10_000)}/appAttestConfig`);
      expect(callFailureOf(response).reason).toBe("RESOURCE_NOT_FOUND");
      expect(sizeOf(response.headers) + sizeOf(response.trailers)).toBeLessThan(MAX_ERROR_HEADER_BYTES);
    });
  },
);

const long = (length: number): string => "x".repeat(length);
const form = (body: string): Sent => ({ method: "POST", headers: FORM, body });
const patch = (body: string): Sent => ({ method: "PATCH", headers: JSON_TYPE, body });

test.for<[what: string, target: string, sent: Sent, status: number]>([
  ["a path", `/${long(16_000)}`, {}, 404],
  ["a project", listOf(ANDROID_APP, long(15_000)), {}, 403],
  ["an app", CONFIG.replace(IOS_APP, long(15_000)), {}, 404],
  ["a parameter in the URL", `${CONFIG}?${long(15_000)}=1`, {}, 400],
  ["a parameter in a form", CONFIG, form(`${long(1_000_000)}=1`), 400],
  ["a parameter in a form that is not UTF-8", CONFIG, form(`${long(1_000_000)}%ff=1`), 400],
  ["a value in a form", CONFIG, form(`prettyPrint=${long(1_000_000)}`), 400],
  ["a selection of fields", CONFIG, form(`fields=${long(1_000_000)}`), 400],
  ["a key in a body", `${CONFIG}?updateMask=*`, patch(`{"${long(1_000_000)}":1}`), 400],
  ["a value in a body", `${CONFIG}?updateMask=*`, patch(`{"tokenTtl":"${long(1_000_000)}"}`), 400],
  ["text that is not JSON", `${CONFIG}?updateMask=*`, patch(long(1_000_000)), 400],
  ["a field of a mask", `${CONFIG}?updateMask=${long(15_000)}`, patch("{}"), 400],
  ["an unknown field in a mask", `${CONFIG}?updateMask=A${long(15_000)}_`, patch("{}"), 400],
  [
    "a media type",
    `${CONFIG}?updateMask=*`,
    { ...patch("{}"), headers: { "content-type": long(15_000) } },
    415,
  ],
  ["a version", `/$discovery/rest?version=${long(15_000)}`, {}, 404],
])(
  "an error about %s is short, even if the value is very long",
  async ([_what, target, sent, status], { server, editor }) => {
    const url = target.startsWith("/v1beta1") ? server.messagingDataUrl : server.integrityUrl;
    const response: HttpResponse = await send(url, target, { token: editor, ...sent });
    expect(response.status).toBe(status);
    expect(response.bytes.length + sizeOf(response.headers)).toBeLessThan(MAX_RESPONSE_BYTES);
    expect(errorOf(response.text).message).not.toContain(long(MAX_EXCERPT + 1));
  },
);

test("an error about a very long key in a Connect body is short", async ({ server, editor }) => {
  const body = `{"${long(1_000_000)}":1}`;
  const response = await send(server.integrityUrl, GET, {
    method: "POST",
    headers: JSON_TYPE,
    token: editor,
    body,
  });
  expect(response.status).toBe(400);
  expect(response.bytes.length).toBeLessThan(MAX_RESPONSE_BYTES);
});

test("an error about many parameters with long names includes as many names as fit", async ({
  server,
  editor,
}) => {
  const body = Array.from({ length: 500 }, (_, index) => `${index}${long(1_500)}=1`).join("&");
  const response = await send(server.integrityUrl, CONFIG, { token: editor, ...form(body) });
  expect(response.status).toBe(400);
  expect(errorOf(response.text).fields.length).toBeGreaterThan(50);
  expect(response.bytes.length).toBeLessThan(64 * 1024);
});
