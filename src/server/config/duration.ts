const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Longest `google.protobuf.Duration`, about 10,000 years, in milliseconds. */
const MAX_MS = 315_576_000_000_000;

/**
 * Parses a duration such as `90s`, `30m`, `1h` or `1h30m`. @returns whole milliseconds, or undefined if the
 * text is not a duration.
 */
export function parseDuration(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    total += Number(amount) * UNITS[unit as keyof typeof UNITS];
  }
  return total <= MAX_MS ? Math.round(total) : undefined;
}
