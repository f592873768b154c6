import type { ContentCoding } from "../../api/encoded-answer.js";

/** In order of preference where the caller has none. */
const CODINGS: readonly ContentCoding[] = ["br", "gzip"];

/** What earlier headers came to; a handful of clients send the same few. */
const known = new Map<string, ContentCoding | undefined>();
const MOST_KNOWN = 100;

/**
 * The coding that an `Accept-Encoding` header likes best (RFC 9110 §12.5.3).
 * @returns undefined to send the answer as it is.
 */
export function negotiateCoding(header: string | undefined): ContentCoding | undefined {
  if (header === undefined) return undefined;
  if (known.has(header)) return known.get(header);
  const coding = bestCoding(header);
  if (known.size === MOST_KNOWN) known.clear();
  known.set(header, coding);
  return coding;
}

function bestCoding(header: string): ContentCoding | undefined {
  const weights = new Map<string, number>();
  for (const item of header.toLowerCase().split(",")) {
    const [name = "", ...parameters] = item.split(";").map((part) => part.trim());
    const quality = parameters.find((parameter) => parameter.startsWith("q="));
    weights.set(name, quality === undefined ? 1 : Number(quality.slice(2)) || 0);
  }
  const weightOf = (coding: string): number => weights.get(coding) ?? weights.get("*") ?? 0;
  let best: ContentCoding | undefined;
  // A coding must be liked at least as much as no coding, where that is weighed at all.
  let least = weights.get("identity") ?? 0;
  for (const coding of CODINGS) {
    const weight = weightOf(coding);
    if (weight > 0 && (best === undefined ? weight >= least : weight > least)) {
      best = coding;
      least = weight;
    }
  }
  return best;
}
