import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { type DescField, type DescMessage, fromJson, toJson } from "@bufbuild/protobuf";
import { ApiError } from "../../src/api/api-error.js";
import { UpdateAppAttestConfigRequestSchema } from "../../src/gen/waybill/integrity/v1/integrity_pb.js";
import { parseJsonBody } from "../../src/transcoding/binding/json-body.js";
import {
  SearchBooksRequestSchema,
  UpdateBookRequestSchema,
} from "../../src/transcoding/testing/gen/waybill/testing/v1/library_pb.js";
import type { FuzzTarget } from "../engine/fuzz-target.js";
import { outcomeOf } from "../oracles/rejection.js";
import { readStrictJson, type StrictJson } from "../oracles/strict-json.js";

const REQUESTS: readonly (readonly [DescMessage, DescField | "*"])[] = [
  [UpdateAppAttestConfigRequestSchema, UpdateAppAttestConfigRequestSchema.field.appAttestConfig],
  [UpdateBookRequestSchema, UpdateBookRequestSchema.field.book],
  [SearchBooksRequestSchema, "*"],
];

/**
 * A body that is not JSON is rejected as such, and other errors by their kind; accepted bodies have one
 * meaning.
 */
export const jsonBody: FuzzTarget = {
  name: "json-body",
  boundedInputs: 5_000,
  seeds: [
    '{"tokenTtl":"3600s"}',
    '{"name":"projects/p/apps/a/appAttestConfig","token_ttl":"1800.5s","etag":"\\"x\\""}',
    '{"title":"One","pages":"100","author":{"displayName":"Ann","mentor":{"displayName":"Ben"}},"labels":{"a":"b"}}',
    '{"publishedTime":"2026-01-31T12:00:00Z","chapters":[{"title":"I"}]}',
    '{"pageSize":10,"tags":["a","b"],"minPages":"9007199254740993","rating":"NaN","coverHash":"AQ==","copies":null}',
    '{"readMask":"a,b.cD","loanPeriod":"3.5s","room":"r","years":[-1,2.0],"volume":"1e1","labels":{"a":"b","a":"c"}}',
    '{"room":"r","floor":1}',
    `{"author":${'{"mentor":'.repeat(200)}{}${"}".repeat(200)}}`,
    "[]",
    '"text"',
    "null",
    "\ufeff{}",
    '{"tokenTtl":"3600s","tokenTtl":"1800s"}',
    '{"__proto__":{},"constructor":1}',
  ],
  words: [
    // Omits `notes`, a Struct: the library accepts numbers in it that it cannot write. No service here uses
    // Struct.
    ...SearchBooksRequestSchema.fields.flatMap(({ jsonName }) =>
      jsonName === "notes" ? [] : `"${jsonName}":`,
    ),
    ...[
      '"tokenTtl":',
      '"token_ttl":',
      '"name":',
      '"etag":',
      '"title":',
      '"author":',
      '"mentor":',
      '"displayName":',
      '"pages":',
    ],
    ...[
      '"3600s"',
      '"-1s"',
      '"2026-01-31T12:00:00Z"',
      '"AQ=="',
      '"a,b"',
      "null",
      "true",
      "false",
      "1e3",
      "-0",
      "1.5",
      '"1"',
    ],
    ...["{", "}", "[", "]", ",", ":", '"', "\\", "\\u0000", "\\ud800", " ", "\n", "NaN", "{}", "[]", '""'],
  ],
  run(input) {
    const text = textOf(input);
    const json = text === undefined ? undefined : readStrictJson(text);
    for (const [schema, field] of REQUESTS) {
      const message = outcomeOf(() => parseJsonBody(schema, field, input));
      if (message instanceof ApiError) {
        strictEqual(message.httpStatus, 400);
        strictEqual(message.reason, json === undefined ? "MALFORMED_JSON" : "INVALID_BODY");
        ok(message.message.length < 6_000, `a message of ${message.message.length} characters`);
        continue;
      }
      ok(json !== undefined, "accepted a body that is not JSON");
      ok(!repeatsKey(json), "took a key that is there twice");
      const again = fromJson(schema, toJson(schema, message));
      deepStrictEqual(toJson(schema, again), toJson(schema, message), "has another meaning the second time");
    }
  },
};

function textOf(input: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(input);
  } catch {
    return undefined;
  }
}

/** Returns true if an object repeats a key. */
function repeatsKey(json: StrictJson): boolean {
  if (json.kind === "array") return json.value.some(repeatsKey);
  if (json.kind !== "object") return false;
  const keys = json.value.map(([key]) => key);
  return new Set(keys).size < keys.length || json.value.some(([, value]) => repeatsKey(value));
}
