import { FIRST_DAY, LAST_DAY } from "../../../model/day.js";
import { acceptedAt } from "../event-time.js";

/** All days that a `google.type.Date` can represent. */
export const ALL_DAYS = acceptedAt(0, { from: FIRST_DAY, ahead: LAST_DAY + 1 });
