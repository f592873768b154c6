import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { ApiError } from "../../api/api-error.js";

/** First and last second of a `google.protobuf.Timestamp`: 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z. */
const FIRST_SECOND = -62_135_596_800n;
const LAST_SECOND = 253_402_300_799n;
const NANOS_A_SECOND = 1_000_000_000;
const NANOS_A_MS = 1_000_000;

/**
 * Reads the `as_of` of a request. A moment in the future gives what is known now, until something changes before it.
 *
 * @param isMirrored whether the project mirrors another service, and keeps earlier versions of entries.
 * @returns milliseconds since 1970; `undefined` for the present.
 * @throws ApiError `INVALID_AS_OF`
 */
export function requestedMoment(asOf: Timestamp | undefined, isMirrored: boolean): number | undefined {
  if (asOf === undefined) return undefined;
  if (!isMirrored) {
    throw invalidAsOf(
      "the project computes its delivery data from events, and keeps no earlier versions; omit it",
    );
  }
  const { seconds, nanos } = asOf;
  // JSON has been checked; binary messages may hold anything.
  if (seconds < FIRST_SECOND || seconds > LAST_SECOND || nanos < 0 || nanos >= NANOS_A_SECOND) {
    throw invalidAsOf('must be a time from "0001-01-01T00:00:00Z" to "9999-12-31T23:59:59Z"');
  }
  return Number(seconds) * 1_000 + Math.floor(nanos / NANOS_A_MS);
}

const invalidAsOf = (description: string): ApiError =>
  ApiError.invalidArgument("INVALID_AS_OF", "asOf", description);
