import { expect, test } from "vitest";
import { EncodedJson } from "./encoded-json.js";
import { satisfiesIfMatch } from "./if-match.js";

const entity = new EncodedJson(Buffer.from("{}"));
const OWN = '"own-br"';

test.each<[header: string, satisfied: boolean]>([
  [entity.etag, true],
  [entity.etagOf("gzip"), true],
  [entity.etagOf("br"), true],
  [OWN, true],
  [`"other", ${entity.etag}`, true],
  [`"other",${OWN} , "more"`, true],
  [`W/"other", ${OWN}`, true],
  ["*", true],
  [" * ", true],
  [`W/${entity.etag}`, false],
  [`w/${OWN}`, false],
  [`W/${entity.etagOf("br")}, "other"`, false],
  ['"other"', false],
  ['"own"', false],
  ['"own-br-gzip-x"', false],
  [entity.etag.replaceAll('"', ""), false],
  ['"*"', false],
  ["", false],
])("If-Match: %s is satisfied: %s", (header, satisfied) => {
  expect(satisfiesIfMatch(header, [OWN, entity.etag])).toBe(satisfied);
});

test("nothing but * is satisfied without a tag", () => {
  expect([satisfiesIfMatch("*", []), satisfiesIfMatch('""', [])]).toEqual([true, false]);
});
