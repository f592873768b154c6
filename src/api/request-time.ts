import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { ApiError } from "./api-error.js";

/**
 * First and last second that a `google.protobuf.Timestamp` can express: 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z.
 */
const FIRST_SECOND = -62_135_596_800n;
const LAST_SECOND = 253_402_300_799n;
const NANOS_A_SECOND = 1_000_000_000;

/**
 * Checks a time in a request. A binary message may contain any value. Only JSON was checked when it was parsed.
 *
 * @param field names the time in the error.
 * @throws ApiError `INVALID_ARGUMENT` with the reason, if the time is invalid.
 */
export function checkTime(
  { seconds, nanos }: Pick<Timestamp, "seconds" | "nanos">,
  reason: string,
  field: string,
): void {
  if (seconds >= FIRST_SECOND && seconds <= LAST_SECOND && nanos >= 0 && nanos < NANOS_A_SECOND) return;
  const description = 'must be a time from "0001-01-01T00:00:00Z" to "9999-12-31T23:59:59Z"';
  throw ApiError.invalidArgument(reason, field, description);
}
