const BYTES = [
  [2 ** 20, "MiB"],
  [2 ** 10, "KiB"],
  [1, "bytes"],
];
const TIMES = [
  [86_400_000, "d"],
  [60_000, "min"],
  [1_000, "s"],
  [1, "ms"],
];

/** Returns each limit of `src/limits` by name, as text with a unit. The name suffix is the unit. */
export async function limitForms() {
  const limits = {
    ...(await import("../../dist/limits/request-limits.js")),
    ...(await import("../../dist/limits/data-limits.js")),
  };
  return new Map(Object.entries(limits).map(([name, value]) => [name, formOf(name, value)]));
}

function formOf(name, value) {
  if (name.endsWith("_BYTES_PER_SECOND")) return `${inUnits(value, BYTES)}/s`;
  if (name.endsWith("_BYTES")) return inUnits(value, BYTES);
  if (name.endsWith("_MS")) return inUnits(value, TIMES);
  return value.toLocaleString("en-US");
}

/** Formats a value in the largest unit that makes it a whole number. */
export function inUnits(value, units) {
  const [size, unit] = units.find(([size]) => value % size === 0);
  return `${(value / size).toLocaleString("en-US")} ${unit}`;
}
