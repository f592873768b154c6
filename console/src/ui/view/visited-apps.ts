const PREFIX = "waybill.visits.";

/** Returns apps of a project that were visited in this browser, most recent first. */
export function visitedApps(project: string): readonly string[] {
  try {
    return visitsOf(localStorage.getItem(PREFIX + project));
  } catch {
    // The browser may block storage.
    return [];
  }
}

/** Stores a visit. */
export function noteVisit(project: string, app: string): void {
  try {
    const visits = withVisit(visitedApps(project), app);
    localStorage.setItem(PREFIX + project, JSON.stringify(visits));
  } catch {
    // Visits are optional: storage may be blocked or full.
  }
}

/** Deletes all visits. */
export function clearVisits(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  } catch {
    // Without storage, there are no visits.
  }
}

/** Maximum number of stored visits per project. */
const MAX_VISITS = 50;

/** Moves a visited app to the front. */
export const withVisit = (visits: readonly string[], app: string): readonly string[] =>
  [app, ...visits.filter((other) => other !== app)].slice(0, MAX_VISITS);

/** Parses stored visits. Returns none if the text is invalid. */
export function visitsOf(text: string | null): readonly string[] {
  try {
    const visits: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(visits) ? visits.filter((app) => typeof app === "string").slice(0, MAX_VISITS) : [];
  } catch {
    return [];
  }
}
