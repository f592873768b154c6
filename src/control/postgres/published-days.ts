import { at } from "../../model/collections.js";
import type { Day } from "../../model/day.js";
import type { ProjectNumber } from "../../model/names.js";
import { StoreUnavailableError } from "../../model/store-error.js";
import type { DayVersion } from "../day-ledger.js";
import { Followed } from "../followed.js";
import type { PostgresDatabase } from "./postgres-database.js";
import { readSql } from "./sql.js";

const PUBLISHED_SINCE = readSql("days/published-since.sql");

export interface Publication extends DayVersion {
  readonly project: ProjectNumber;
  readonly isEmpty: boolean;
  /** Number of the publication. Numbers increase in commit order. */
  readonly number: number;
}

interface ProjectDays {
  readonly publications: Map<Day, Publication>;
  /** Index of the publications. It is created when it is needed. */
  index?: DayIndex | undefined;
}

interface DayIndex {
  /**
   * All days in ascending order. For each day, `numbers` has the highest publication number of this day and all days
   * before.
   */
  readonly days: readonly Day[];
  readonly numbers: readonly number[];
  /** Days with entries, newest first. */
  readonly listed: readonly DayVersion[];
}

/** A local copy of all publications, from which readers read. */
export class PublishedDays {
  readonly #projects = new Map<string, ProjectDays>();
  #last = 0;

  /** The copy contains all publications up to this number. */
  get last(): number {
    return this.#last;
  }

  /**
   * Adds publications in any order. A publication replaces earlier ones of the same day.
   *
   * @param last number up to which the copy then contains all publications.
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

  get projects(): readonly string[] {
    return [...this.#projects.keys()];
  }

  /** Returns a project's days with entries, up to `until`, newest first. */
  upTo(project: ProjectNumber, until: Day): readonly DayVersion[] {
    const listed = this.#index(project)?.listed ?? [];
    return listed.slice(firstAt(listed, ({ day }) => day <= until));
  }

  /** Returns the highest publication number of a project's days up to `until`; 0 if there are none. */
  lastNumber(project: ProjectNumber, until: Day): number {
    const index = this.#index(project);
    if (index === undefined) return 0;
    const after = firstAt(index.days, (day) => day > until);
    return after === 0 ? 0 : at(index.numbers, after - 1);
  }

  #index(project: ProjectNumber): DayIndex | undefined {
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

/** Finds the first item that `holds` accepts, and returns its index; the list's length if there is none. */
function firstAt<T>(sorted: readonly T[], holds: (item: T) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(at(sorted, middle))) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Keeps a local copy of all publications up to date. */
export class Publications {
  readonly #database: PostgresDatabase;
  readonly #followed: Followed;
  #published = new PublishedDays();

  /** @param maxStaleness as in {@link Followed}. */
  constructor(database: PostgresDatabase, maxStaleness?: number) {
    this.#database = database;
    this.#followed = new Followed(() => this.#readOn(), maxStaleness);
  }

  /** Reports a change. The next use of the copy waits for a new read. */
  changed(): void {
    this.#followed.changed();
  }

  /**
   * Returns the copy. It is as current as {@link Followed} requires.
   *
   * @throws StoreUnavailableError if the publications cannot be read.
   */
  async upToDate(): Promise<PublishedDays> {
    await this.#followed.upToDate();
    return this.#published;
  }

  async #readOn(): Promise<void> {
    const { last } = this.#published;
    let look = await this.#publishedSince(last);
    if (last > 0 && !look.isKnown) {
      // A failover or a restore may have lost publications, so all of them are read again.
      look = await this.#publishedSince(0);
      this.#published = new PublishedDays();
    }
    this.#published.add(look.publications, look.last);
  }

  /** Reads the publications after a number, and checks that the database knows this number. */
  async #publishedSince(number: number): Promise<{
    readonly last: number;
    readonly isKnown: boolean;
    readonly publications: readonly Publication[];
  }> {
    const rows = await this.#database.query<{
      last: string;
      is_known: boolean;
      project: ProjectNumber | null;
      day: Day;
      version: string;
      is_empty: boolean;
      publication: string;
    }>("reading publications", PUBLISHED_SINCE, [number]);
    const [first] = rows;
    if (first === undefined) throw new StoreUnavailableError("the table waybill.publications has no row");
    const publications = rows.flatMap(({ project, day, version, is_empty, publication }) =>
      project === null
        ? []
        : [{ project, day, version: Number(version), isEmpty: is_empty, number: Number(publication) }],
    );
    return { last: Number(first.last), isKnown: first.is_known, publications };
  }
}
