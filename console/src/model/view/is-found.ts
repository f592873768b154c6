/**
 * Returns true if a search finds a name: the text begins one of its words, whose boundaries are all characters but
 * letters and digits. An empty search finds every name.
 */
export function isFound(name: string, search: string): boolean {
  const text = search.trim().toLowerCase();
  const lower = name.toLowerCase();
  for (let at = lower.indexOf(text); at >= 0; at = lower.indexOf(text, at + 1)) {
    if (at === 0 || BOUNDARY.test(lower[at - 1] ?? "") || BOUNDARY.test(text[0] ?? "_")) return true;
  }
  return false;
}

const BOUNDARY = /[^\p{L}\p{N}]/u;
