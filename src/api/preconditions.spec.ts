import { expect, test } from "vitest";
import { EncodedJson } from "./encoded-response.js";
import { failedPrecondition, NO_PRECONDITIONS } from "./preconditions.js";

const entity = new EncodedJson(Buffer.from("{}"));
const OWN = '"own-br"';
const ETAGS = [OWN, entity.etag];
const GOOD = entity.etag;

test.each<[header: string, strong: boolean, weak: boolean]>([
  [GOOD, true, true],
  [entity.etagOf("gzip"), true, true],
  [entity.etagOf("br"), true, true],
  [OWN, true, true],
  [`"other", ${GOOD}`, true, true],
  [`"other",${OWN} , "more"`, true, true],
  [`W/"other", ${OWN}`, true, true],
  ["*", true, true],
  [" * ", true, true],
  [`W/${GOOD}`, false, true],
  [`w/${OWN}`, false, true],
  [`W/${entity.etagOf("br")}, "other"`, false, true],
  ['"other"', false, false],
  ['"own"', false, false],
  ['"own-br-gzip-x"', false, false],
  [GOOD.replaceAll('"', ""), false, false],
  ['"*"', false, false],
  ["", false, false],
])(
  "an entity matches the tag list %s: in a strong comparison %s, in a weak one %s",
  (header, strong, weak) => {
    const ifMatch = failedPrecondition({ ifMatch: header, ifNoneMatch: undefined }, ETAGS);
    expect(ifMatch).toBe(strong ? undefined : "If-Match");
    const ifNoneMatch = failedPrecondition({ ifMatch: undefined, ifNoneMatch: header }, ETAGS);
    expect(ifNoneMatch).toBe(weak ? "If-None-Match" : undefined);
  },
);

test.each<[ifMatch: string, ifNoneMatch: string, failed: string | undefined]>([
  ['"other"', GOOD, "If-Match"],
  ['"other"', '"other"', "If-Match"],
  [GOOD, GOOD, "If-None-Match"],
  ["*", "*", "If-None-Match"],
  [GOOD, '"other"', undefined],
])(
  "a request with If-Match: %s and If-None-Match: %s fails at the header %s",
  (ifMatch, ifNoneMatch, failed) => {
    expect(failedPrecondition({ ifMatch, ifNoneMatch }, ETAGS)).toBe(failed);
  },
);

test("a request without preconditions never fails a precondition", () => {
  expect(failedPrecondition(NO_PRECONDITIONS, ETAGS)).toBeUndefined();
});

test.each([
  ["*", undefined],
  ['""', "If-Match"],
])("a request with If-Match: %s for a resource without an entity tag fails at %s", (ifMatch, failed) => {
  expect(failedPrecondition({ ifMatch, ifNoneMatch: undefined }, [])).toBe(failed);
});
