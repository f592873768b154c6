// Loaded into a program before its own modules. Shifts the time of day in all threads by the number of milliseconds in
// its URL, or in the file that its URL names.
import { readFileSync } from "node:fs";
import { shiftDate } from "./shift-date.mjs";

const { searchParams } = new URL(import.meta.url);
const file = searchParams.get("file");
const offset = Number(searchParams.get("offset"));

shiftDate(() => {
  if (file === null) return offset;
  try {
    return Number(readFileSync(file, "utf8"));
  } catch {
    return 0;
  }
});
