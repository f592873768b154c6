import type { DateJson } from "../gen/google/type/date_pb.js";

/** Formats a date as `YYYY-MM-DD`, `YYYY-MM` or `YYYY`; only mirrored entries have dates in part. */
export function dateText({ year = 0, month = 0, day = 0 }: DateJson = {}): string {
  const parts = [month, day].filter((part) => part > 0).map((part) => String(part).padStart(2, "0"));
  return [String(year).padStart(4, "0"), ...parts].join("-");
}
