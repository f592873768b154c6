import type { Day } from "../../model/day.js";
import type { DayVersion } from "../day-ledger.js";

/** A publication of a day. */
export interface Publication extends DayVersion {
  /** Project number, in decimal. */
  readonly project: string;
  readonly isEmpty: boolean;
  /** Number of the publication, in the order of commits. */
  readonly number: number;
}

/** The published days of a project. */
interface ProjectDays {
  readonly publications: Map<Day, Publication>;
  /** Made from the publications when it is needed. */
  index?: DayIndex | undefined;
}

interface DayIndex {
  /** All days, ascending, with the highest number of a publication of the day or an earlier one. */
  readonly days: readonly Day[];
  readonly numbers: readonly number[];
  /** Days with entries, newest first. */
  readonly listed: readonly DayVersion[];
}

/** A copy of the publications of all days, for readers. */
export class PublishedDays {
  readonly #projects = new Map<string, ProjectDays>();
  #last = 0;

  /** The number up to which the copy has all publications. */
  get last(): number {
    return this.#last;
  }

  /**
   * Adds publications, in any order, that replace those of the same days.
   *
   * @param last the number up to which the copy then has all of them.
   */
  add(publications: Iterable<Publication>, last: number): void {
    for (const publication of publications) {
      const { project, day } = publication;
      const known: ProjectDays = this.#projects.get(project) ?? { publications: new Map() };
      known.publications.set(day, publication);
      known.index = undefined;
      this.#projects.set(project, known);
    }
    this.#last = last;
  }

  /** The days of a project with entries, up to `until`, newest first. */
  upTo(project: string, until: Day): readonly DayVersion[] {
    const listed = this.#index(project)?.listed ?? [];
    return listed.slice(firstAt(listed.length, (at) => (listed[at]?.day ?? until) <= until));
  }

  /** Number of the last publication of a project's days up to `until`; 0 without any. */
  lastNumber(project: string, until: Day): number {
    const index = this.#index(project);
    if (index === undefined) return 0;
    const after = firstAt(index.days.length, (at) => (index.days[at] ?? until) > until);
    return index.numbers[after - 1] ?? 0;
  }

  #index(project: string): DayIndex | undefined {
    const known = this.#projects.get(project);
    if (known !== undefined) known.index ??= indexOf([...known.publications.values()]);
    return known?.index;
  }
}

function indexOf(publications: readonly Publication[]): DayIndex {
  const ascending = [...publications].sort((a, b) => a.day - b.day);
  let highest = 0;
  return {
    days: ascending.map(({ day }) => day),
    numbers: ascending.map(({ number }) => {
      highest = Math.max(highest, number);
      return highest;
    }),
    listed: ascending
      .filter(({ isEmpty }) => !isEmpty)
      .map(({ day, version }) => ({ day, version }))
      .reverse(),
  };
}

/** The first position from which on `holds` is true; `length` if it never is. */
function firstAt(length: number, holds: (at: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
