/**
 * Returns options of Node.js with which a process's time of day is shifted by the number of milliseconds in a file. The
 * file may change while the process runs.
 */
export const shiftedClock = (file: string): readonly string[] => preload("file", file);

/** Returns options of Node.js with which a process's time of day is shifted by a number of milliseconds. */
export const shiftedBy = (offset: number): readonly string[] => preload("offset", String(offset));

function preload(parameter: string, value: string): readonly string[] {
  const module = new URL("./shifted-clock.mjs", import.meta.url);
  module.searchParams.set(parameter, value);
  return ["--import", module.href];
}
