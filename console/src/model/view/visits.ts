/** Most visits that are remembered for a project. */
const MAX_VISITS = 50;

/** Puts a visited app before those that were visited earlier. */
export const withVisit = (visits: readonly string[], app: string): readonly string[] =>
  [app, ...visits.filter((other) => other !== app)].slice(0, MAX_VISITS);

/** Reads visits from the text that remembers them; none from a text of another form. */
export function visitsOf(text: string | null): readonly string[] {
  try {
    const visits: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(visits) ? visits.filter((app) => typeof app === "string").slice(0, MAX_VISITS) : [];
  } catch {
    return [];
  }
}
