// Loaded into a server before its own program. Shifts the time of day in all threads by the number of
// milliseconds in the file that its URL names. The monotonic clock is unaffected.
import { readFileSync } from "node:fs";

const file = new URL(import.meta.url).searchParams.get("file");
const RealDate = Date;

function offset() {
  try {
    return Number(readFileSync(file, "utf8"));
  } catch {
    return 0;
  }
}

globalThis.Date = class ShiftedDate extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(ShiftedDate.now());
    else super(...given);
  }

  static now() {
    return RealDate.now() + offset();
  }
};
