import { expect, test } from "vitest";
import { EncodedJson } from "./encoded-json.js";
import { matchesEntityTag } from "./if-none-match.js";

const entity = new EncodedJson(Buffer.from("{}"));

test.each<[header: string, matches: boolean]>([
  [entity.etag, true],
  [`W/${entity.etag}`, true],
  [entity.etagOf("gzip"), true],
  [`W/${entity.etagOf("br")}`, true],
  [`"other", ${entity.etag}`, true],
  ['"other"', false],
  [entity.etag.replaceAll('"', ""), false],
  ["*", true],
  ["", false],
])("If-None-Match: %s matches: %s", (header, matches) => {
  expect(matchesEntityTag(header, entity)).toBe(matches);
});
