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
function rejection(request: DescMessage, field: DescField | "*", json: string): string[] {
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
  ['{"publishedAfter":"2024-02-29T23:59:59.999999999+14:00"}'],
  ['{"publishedAfter":"2026-02-29T12:00:00Z"}', "publishedAfter", TIMESTAMP],
  ['{"publishedAfter":"2026-04-31T12:00:00+01:00"}', "publishedAfter", TIMESTAMP],
  ['{"publishedAfter":"2026-01-31T24:00:00Z"}', "publishedAfter", TIMESTAMP],
  ['{"binding":"PAPERBACK"}'],
  ['{"binding":2}'],
  ['{"binding":null}'],
  ['{"binding":"paperback"}', "binding", BINDING],
  ['{"binding":"2"}', "binding", BINDING],
  ['{"binding":true}', "binding", BINDING],
])("checks a whole body: %s %s", (json, ...expected) => {
  expect(rejection(SearchBooksRequestSchema, "*", json)).toEqual(expected);
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
  expect(rejection(message, field, json)[0]).toBe(at);
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
  expect(rejection(message, field, json)).toEqual([at, "must be a JSON object"]);
});

test.each<[json: string, at: string, expected: string]>([
  ['{"parent":7}', "parent", "must be a string"],
  ['{"parent":"\\ud800"}', "parent", "must be valid Unicode"],
  ['{"page_token":{}}', "page_token", "must be a string"],
  ['{"available":"true"}', "available", "must be true or false"],
  ['{"coverHash":7}', "coverHash", "must be a string in base64 or base64url"],
  ['{"coverHash":[1]}', "coverHash", "must be a string in base64 or base64url"],
  ['{"pageSize":true}', "pageSize", "must be a number"],
  ['{"minPages":[]}', "minPages", "must be a number"],
  ['{"price":{}}', "price", "must be a number"],
  ['{"tags":"a"}', "tags", "must be a list"],
  ['{"tags":["a",1]}', "tags[1]", "must be a string"],
  ['{"labels":{"a":1}}', "labels[a]", "must be a string"],
  ['{"chapters":{"title":"x"}}', "chapters", "must be a list"],
  ['{"chapters":[{"firstPage":false}]}', "chapters[0].firstPage", "must be a number"],
  ['{"author":{"displayName":1}}', "author.displayName", "must be a string"],
  ['{"readMask":{"paths":["title"]}}', "readMask", "must be a string of field names, separated by commas"],
])("reports a value of another type: %s", (json, ...expected) => {
  expect(rejection(SearchBooksRequestSchema, "*", json)).toEqual(expected);
});

test.each([
  '{"minPages":"7"}',
  '{"pageSize":7.0}',
  '{"price":"NaN"}',
  '{"tags":null,"available":null,"parent":null,"coverHash":null}',
  '{"coverHash":"+_8"}',
  '{"readMask":"title,author.displayName"}',
  '{"years":[1,"2"]}',
])("accepts every type in which ProtoJSON represents a value: %s", (json) => {
  expect(rejection(SearchBooksRequestSchema, "*", json)).toEqual([]);
});

test.each([
  ['{"nope":{"loanPeriod":"x"}}', "body"],
  [`${'{"author":{"mentor":'.repeat(2000)}1${"}}".repeat(2000)}`, "body"],
])("ignores other errors, which the parser reports: %#", (json, at) => {
  expect(rejection(SearchBooksRequestSchema, "*", json)[0]).toBe(at);
});
