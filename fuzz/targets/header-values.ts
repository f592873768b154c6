import { ok, strictEqual } from "node:assert/strict";
import { ApiError } from "../../src/api/api-error.js";
import { failedPrecondition } from "../../src/api/preconditions.js";
import { bearerToken } from "../../src/auth/tokens/authenticator.js";
import { negotiateCoding } from "../../src/http/responses/accept-encoding.js";
import { readTimeout } from "../../src/rpc/deadline.js";
import { expectJsonType } from "../../src/transcoding/binding/json-body.js";
import type { FuzzTarget } from "../engine/fuzz-target.js";
import { expectedCoding, expectedTags } from "../oracles/header-values.js";
import { outcomeOf } from "../oracles/rejection.js";

const ETAG = '"abc"';
/** The tag, and the same entity's tags in other codings. */
const SPELLINGS = [ETAG, '"abc-br"', '"abc-gzip"'];

/** Well-formed header values are read according to their RFCs, and malformed ones never cause a server error. */
export const headerValues: FuzzTarget = {
  name: "header-values",
  boundedInputs: 10_000,
  seeds: [
    "gzip, br;q=0.5, *;q=0",
    "identity;q=1, gzip;q=0.999,br ; q=1.000",
    "GZIP;q=1.0",
    '"abc", W/"abc" ,"abc-br","abc-gzip", ""',
    'W/"x"',
    '"abc',
    "*",
    "Bearer abc.def.ghi",
    "bearer   ",
    "Basic YTpi",
    'application/json; charset="UTF-8"',
    "application/json;charset=latin1",
    "10S",
    "99999999H",
    "1000000000m",
    "9223372036854775807",
  ],
  words: [
    ...["gzip", "br", "identity", "*", "zstd", ";q=", ";q=0", ";q=0.001", ";q=1.000", ", ", ",", ";"],
    ...["=", " ", "\t"],
    ...['"abc"', '"', "W/", "w/", "-br", "-gzip", '"abc-gzip"', "Bearer ", "application/json"],
    ...["charset=utf-8"],
    ...["H", "M", "S", "m", "u", "n", "\u00ff", "\u0000"],
  ],
  run(input) {
    const value = input.toString("latin1");
    const coding = expectedCoding(value);
    const negotiated = negotiateCoding(value);
    if (coding !== "malformed") strictEqual(negotiated, coding, "another coding");

    const tags = expectedTags(value);
    const strong = failedPrecondition({ ifMatch: value, ifNoneMatch: undefined }, [ETAG]) === undefined;
    const weak = failedPrecondition({ ifMatch: undefined, ifNoneMatch: value }, [ETAG]) !== undefined;
    if (tags === "*") ok(strong && weak);
    else if (tags !== "malformed") {
      strictEqual(
        strong,
        tags.some((tag) => SPELLINGS.includes(tag)),
        "another strong match",
      );
      strictEqual(
        weak,
        tags.some((tag) => SPELLINGS.includes(tag.replace(/^W\//, ""))),
        "another weak match",
      );
    }

    const token = outcomeOf(() => bearerToken(value));
    if (token instanceof ApiError) strictEqual(token.httpStatus, 401);
    else ok(/^bearer +[^ ]/i.test(value) && value.endsWith(token));

    const rejection = outcomeOf(() => expectJsonType(value));
    if (rejection instanceof ApiError) strictEqual(rejection.httpStatus, 415);
    else ok(/^\s*application\/json\b/i.test(value));

    for (const protocol of ["grpc", "connect"] as const) {
      const { milliseconds, error } = readTimeout(protocol, () => value);
      ok(milliseconds === undefined || milliseconds >= 0, `${milliseconds} ms`);
      ok(error !== undefined || value === "" || /^\d+[HMSmun]?$/.test(value), "took it for a time");
    }
  },
};
