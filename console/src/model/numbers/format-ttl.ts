const UNITS = [
  { seconds: 86_400, one: "day", many: "days" },
  { seconds: 3600, one: "hour", many: "hours" },
  { seconds: 60, one: "minute", many: "minutes" },
  { seconds: 1, one: "second", many: "seconds" },
] as const;

/** Formats a duration in JSON (`"5400s"`) in words: `1 hour 30 minutes`. */
export function formatTtl(duration: string): string {
  let rest = Number.parseFloat(duration);
  const parts: string[] = [];
  for (const { seconds, one, many } of UNITS) {
    const count = seconds === 1 ? rest : Math.floor(rest / seconds);
    rest -= count * seconds;
    if (count > 0) parts.push(`${count} ${count === 1 ? one : many}`);
  }
  return parts.length > 0 ? parts.join(" ") : "0 seconds";
}
