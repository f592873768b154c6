import type { DateJson } from "../gen/google/type/date_pb.js";
import { type Day, dayOfCivil } from "./day.js";

/** Converts a `google.type.Date`: the first day of one that is a month or a year, as mirrored entries may have. */
export const dayOfJson = ({ year = 0, month = 1, day = 1 }: DateJson): Day => dayOfCivil(year, month, day);
