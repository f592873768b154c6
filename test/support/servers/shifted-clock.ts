/**
 * Returns options of Node.js with which a process's time of day is shifted by the number of milliseconds in a file. The
 * file may change while the process runs.
 */
export function shiftedClock(file: string): readonly string[] {
  const preload = new URL("./shifted-clock.mjs", import.meta.url);
  preload.searchParams.set("file", file);
  return ["--import", preload.href];
}
