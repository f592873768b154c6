import type { ContentCoding } from "../../api/encoded-response.js";

/** Supported content codings, best first. */
const CODINGS: readonly ContentCoding[] = ["br", "gzip"];

/** Cache of results by header value. Clients send few different values. */
const known = new Map<string, ContentCoding | undefined>();
const MAX_KNOWN = 100;

/**
 * Chooses the best coding for an `Accept-Encoding` header (RFC 9110 §12.5.3).
 *
 * @returns `undefined` if the response must not be compressed.
 */
export function negotiateCoding(header: string | undefined): ContentCoding | undefined {
  if (header === undefined) return undefined;
  if (known.has(header)) return known.get(header);
  const coding = bestCoding(header);
  if (known.size === MAX_KNOWN) known.clear();
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
  // If the header lists `identity` with a weight, a coding needs at least the same weight.
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
