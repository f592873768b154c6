// The words and habits that docs/develop/style.md replaces. `use` is what to write instead.
const words = (...forms) => new RegExp(`\\b(?:${forms.join("|")})\\b`, "giu");

/** Rules by name. `except` are uses in another, usual meaning. */
export const RULES = {
  answer: {
    pattern: words("answers?", "answered", "answering"),
    use: "response (HTTP, gRPC); result (function)",
  },
  tell: { pattern: words("tells?", "told", "telling"), use: 'report, notify, show; "Returns true if …"' },
  say: { pattern: words("says?", "said", "saying"), use: "report, show, state" },
  give: { pattern: words("gives?", "given", "gave", "giving"), use: "return, pass, set, provide" },
  take: { pattern: words("takes?", "taken", "took", "taking"), use: "accept, need, use, last, cost" },
  turn: { pattern: words("turns?", "turned", "turning"), use: "slot, fair queue; set (the clock); convert" },
  original: { pattern: /\bthe original\b/giu, use: "upstream; FCM, App Check" },
  imitate: { pattern: words("imitat\\w+"), use: "emulate, emulation" },
  judge: { pattern: words("judg\\w+"), use: "evaluate, detect" },
  refuse: { pattern: words("refus\\w+"), use: "reject (a request), deny (access)" },
  "go on": { pattern: /\b(?:go|goes|going|went) on\b/giu, use: "continue; ongoing" },
  anew: {
    pattern: words("anew", "of late", "by itself", "alone", "meanwhile", "likewise"),
    except: /\bof late (?:events?|data|days|messages)\b/giu,
    use: "again, recently, automatically, only",
  },
  stranger: { pattern: words("strangers?"), use: "unauthenticated client" },
  fault: { pattern: words("faults?"), except: /\bfault injection\b/giu, use: "error, failure" },
  forget: { pattern: words("forgets?", "forgot", "forgotten", "forgetting"), use: "expire, be deleted" },
  missing: { pattern: /\bmissing (?:for|if|unless|when)\b/giu, use: "omitted" },
  most: {
    pattern: /(?:^|[.:;] )(?:Most|Longest|Least|Largest|Shortest) \w+/gu,
    use: "maximum number of …, timeout, minimum …",
  },
  bound: { pattern: words("bounds", "a bound"), use: "limit" },
  mend: { pattern: words("mends?", "mended"), use: "fix, improve" },
  "operators' listener": { pattern: /\boperators[’'] listener\b/giu, use: "admin listener" },
  "what …": {
    pattern:
      /\bwhat (?:it|is|was|are|were|a|an|the|they|has|have|he|must|may|can|comes|came|happens|goes|waits)\b/giu,
    use: 'a noun: "pending events", not "what waits"',
  },
  "the … of the …": {
    pattern: /\bthe [\w-]+ of (?:the|a|an|its|their)\b/giu,
    use: 'a compound: "config file"',
  },
  whose: { pattern: words("whose", "of which", "of whom", "those of"), use: "a new sentence" },
};

/** Returns each place in a text that a rule finds, as its rule and offset. */
export function findHabits(text) {
  return Object.entries(RULES).flatMap(([rule, { pattern, except }]) => {
    const allowed = except === undefined ? [] : [...text.matchAll(except)];
    return [...text.matchAll(pattern)]
      .filter(
        ({ index }) =>
          !allowed.some((match) => index >= match.index && index < match.index + match[0].length),
      )
      .map(({ index, 0: words }) => ({ rule, index, words }));
  });
}
