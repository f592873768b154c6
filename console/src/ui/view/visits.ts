const PREFIX = "waybill.visits";
const PROJECTS = `${PREFIX}Projects`;

const appsKey = (project: string): string => `${PREFIX}.${project}`;

/** Returns projects that were visited in this browser, most recent first. */
export const visitedProjects = (): readonly string[] => readVisits(PROJECTS);

/** Returns apps of a project that were visited in this browser, most recent first. */
export const visitedApps = (project: string): readonly string[] => readVisits(appsKey(project));

/** Stores a visit to a project, and to one of its apps. */
export function noteVisit(project: string, app: string | undefined): void {
  storeVisit(PROJECTS, project);
  if (app !== undefined) storeVisit(appsKey(project), app);
}

export function clearVisits(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  } catch {
    // Without storage, there are no visits.
  }
}

function readVisits(key: string): readonly string[] {
  try {
    return visitsOf(localStorage.getItem(key));
  } catch {
    // The browser may block storage.
    return [];
  }
}

function storeVisit(key: string, visited: string): void {
  try {
    localStorage.setItem(key, JSON.stringify(withVisit(readVisits(key), visited)));
  } catch {
    // Visits are optional: storage may be blocked or full.
  }
}

/** Maximum number of stored visits: of projects, and of apps in each project. */
const MAX_VISITS = 50;

/** Moves a visited project or app to the front. */
export const withVisit = (visits: readonly string[], visited: string): readonly string[] =>
  [visited, ...visits.filter((other) => other !== visited)].slice(0, MAX_VISITS);

/** Parses stored visits. Returns none if the text is invalid. */
export function visitsOf(text: string | null): readonly string[] {
  try {
    const visits: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(visits)
      ? visits.filter((visited) => typeof visited === "string").slice(0, MAX_VISITS)
      : [];
  } catch {
    return [];
  }
}
