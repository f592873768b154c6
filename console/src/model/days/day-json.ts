import type { DateJson } from "../../../../src/gen/google/type/date_pb.js";
import { type Day, dayOfCivil } from "../../../../src/model/day.js";

/** Converts a complete `google.type.Date`. */
export const dayOfJson = ({ year = 0, month = 0, day = 0 }: DateJson): Day => dayOfCivil(year, month, day);
