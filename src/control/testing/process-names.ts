import type { Day } from "../../model/day.js";
import type { DatedNames, EventNames, NameLimits, ProjectNumber } from "../../model/names.js";

/** Names of a kind, each with its last day. */
type LastDays = Map<string, Day>;

/** Conditions of a project's days. */
interface DayState {
  /** Returns true if a day can get events. */
  isOpen(day: Day): boolean;
  /** Returns true if a day is sealed and has no data. */
  isRemoved(day: Day): boolean;
}

/** The apps and labels of each project that count toward its limits, in memory. */
export class ProcessNames {
  readonly #projects = new Map<ProjectNumber, { readonly apps: LastDays; readonly labels: LastDays }>();

  /** Admits all names, or none. Returns the names that exceed a limit. */
  admit(
    project: ProjectNumber,
    names: DatedNames,
    { maxApps, maxLabels }: NameLimits,
    { isOpen, isRemoved }: DayState,
  ): EventNames | undefined {
    const known = this.#projects.get(project) ?? { apps: new Map(), labels: new Map() };
    this.#projects.set(project, known);
    for (const lastDays of [known.apps, known.labels]) {
      for (const [name, day] of lastDays) if (isRemoved(day)) lastDays.delete(name);
    }
    const openOf = (dated: ReadonlyMap<string, Day>) => new Map([...dated].filter(([, day]) => isOpen(day)));
    const open = { apps: openOf(names.apps), labels: openOf(names.labels) };
    const excess = {
      apps: excessOf(known.apps, open.apps, maxApps),
      labels: excessOf(known.labels, open.labels, maxLabels),
    };
    if (excess.apps.length + excess.labels.length > 0) return excess;
    for (const kind of ["apps", "labels"] as const) {
      for (const [name, day] of open[kind]) {
        known[kind].set(name, Math.max(day, known[kind].get(name) ?? day));
      }
    }
    return undefined;
  }

  /** Erases a project's names. Returns true if it had any. */
  erase(project: ProjectNumber): boolean {
    const known = this.#projects.get(project);
    this.#projects.delete(project);
    return known !== undefined && known.apps.size + known.labels.size > 0;
  }
}

const excessOf = (
  known: ReadonlyMap<string, Day>,
  names: ReadonlyMap<string, Day>,
  max: number,
): readonly string[] =>
  [...names.keys()].filter((name) => !known.has(name)).slice(Math.max(0, max - known.size));
