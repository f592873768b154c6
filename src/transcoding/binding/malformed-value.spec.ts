import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { ApiError } from "../../api/api-error.js";
import {
  SearchBooksRequestSchema,
  SearchBooksResponseSchema,
  UpdateBookRequestSchema,
} from "../testing/gen/waybill/testing/v1/library_pb.js";
import { parseJsonBody } from "./json-body.js";

const DURATION = 'must be a count of seconds with the suffix "s", such as "3.5s"';
const BINDING = "must be one of BINDING_UNSPECIFIED, PAPERBACK, HARDCOVER, or its number";
const TIMESTAMP = 'must be an RFC 3339 time, such as "2026-01-31T12:00:00Z"';

/** The invalid field, and the reason why it is invalid. */
function refusal(request: DescMessage, field: DescField | "*", json: string): string[] {
  try {
    parseJsonBody(request, field, Buffer.from(json));
  } catch (error) {
    if (error instanceof ApiError && error.reason === "INVALID_BODY") {
      return error.violations.flatMap(({ field, description }) => [field, description]);
    }
    throw error;
  }
  return [];
}

test.each<[json: string, ...expected: string[]]>([
  ['{"loanPeriod":"3600s"}'],
  ['{"loanPeriod":"-0.5s"}'],
  ['{"loanPeriod":null}'],
  ['{"publishedAfter":"2026-01-31T12:00:00Z"}'],
  ['{"loanPeriod":"3600"}', "loanPeriod", DURATION],
  ['{"loan_period":"3600"}', "loan_period", DURATION],
  ['{"loanPeriod":3600}', "loanPeriod", DURATION],
  ['{"loanPeriod":""}', "loanPeriod", DURATION],
  ['{"loanPeriod":"1h"}', "loanPeriod", DURATION],
  ['{"loanPeriod":"3600s later"}', "loanPeriod", DURATION],
  ['{"loanPeriod":"3600.0000000001s"}', "loanPeriod", DURATION],
  ['{"loanPeriod":"315576000001s"}', "loanPeriod", DURATION],
  ['{"loanPeriod":{"seconds":"3600"}}', "loanPeriod", DURATION],
  ['{"loanPeriod":["3600s"]}', "loanPeriod", DURATION],
  ['{"publishedAfter":"yesterday"}', "publishedAfter", TIMESTAMP],
  ['{"publishedAfter":"2026-13-30T12:00:00Z"}', "publishedAfter", TIMESTAMP],
  ['{"binding":"PAPERBACK"}'],
  ['{"binding":2}'],
  ['{"binding":null}'],
  ['{"binding":"paperback"}', "binding", BINDING],
  ['{"binding":"2"}', "binding", BINDING],
  ['{"binding":true}', "binding", BINDING],
])("checks a whole body: %s %s", (json, ...expected) => {
  expect(refusal(SearchBooksRequestSchema, "*", json)).toEqual(expected);
});

const { book } = UpdateBookRequestSchema.field;
const { books, request } = SearchBooksResponseSchema.field;

test.each<[field: DescField | "*", json: string, at: string]>([
  [book, '{"publishedTime":"x"}', "publishedTime"],
  [books, '[{},{"publishedTime":"x"}]', "[1].publishedTime"],
  ["*", '{"request":{"loanPeriod":"x"}}', "request.loanPeriod"],
  ["*", '{"books":[{"title":"a"},{"published_time":5}]}', "books[1].published_time"],
  [request, '{"loanPeriod":"x","publishedAfter":"y"}', "loanPeriod"],
])("in a body for %s, rejects %s at %s", (field, json, at) => {
  const message = field === "*" ? SearchBooksResponseSchema : field.parent;
  expect(refusal(message, field, json)[0]).toBe(at);
});

test.each<[desc: DescMessage | DescField, json: string, at: string]>([
  [SearchBooksRequestSchema, "[]", "body"],
  [SearchBooksRequestSchema, "null", "body"],
  [SearchBooksRequestSchema, '"x"', "body"],
  [SearchBooksRequestSchema, "1", "body"],
  [SearchBooksRequestSchema, '{"author":[]}', "author"],
  [book, "[]", "body"],
  [book, "null", "body"],
  [book, '{"author":{"mentor":true}}', "author.mentor"],
  [books, "[{},7]", "[1]"],
])("rejects a value that must be an object: %s %s at %s", (desc, json, at) => {
  const [message, field] = desc.kind === "message" ? ([desc, "*"] as const) : ([desc.parent, desc] as const);
  expect(refusal(message, field, json)).toEqual([at, "must be a JSON object"]);
});

test.each([
  ['{"chapters":{"title":"x"}}', "chapters"],
  ['{"nope":{"loanPeriod":"x"}}', "body"],
  [`${'{"author":{"mentor":'.repeat(2000)}1${"}}".repeat(2000)}`, "body"],
])("ignores other errors, which the parser reports: %#", (json, at) => {
  expect(refusal(SearchBooksRequestSchema, "*", json)[0]).toBe(at);
});
