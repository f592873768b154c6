interface Record {
  /** The number of the last turn of all that this project had. */
  last: number;
  /** How many days it may bring. */
  size: number;
}

/** Who is next: projects take turns, each with so many days as went well lately. */
export class Turns {
  readonly #largest: number;
  readonly #projects = new Map<string, Record>();
  #count = 0;

  /** @param largest the most days of a turn. */
  constructor(largest: number) {
    this.#largest = largest;
  }

  /** Projects whose last turn is the longest ago come first. */
  order(projects: readonly string[]): string[] {
    return [...projects].sort((a, b) => this.#recordOf(a).last - this.#recordOf(b).last);
  }

  /** The most days that a project may bring to its next turn. */
  sizeFor(project: string): number {
    return this.#recordOf(project).size;
  }

  /** Takes down how a turn went. After one that failed the next is half as large, down to a day that fails alone. */
  took(project: string, days: number, succeeded: boolean): void {
    const record = this.#recordOf(project);
    record.last = ++this.#count;
    record.size = succeeded ? Math.min(2 * record.size, this.#largest) : Math.ceil(days / 2);
  }

  #recordOf(project: string): Record {
    let record = this.#projects.get(project);
    if (record === undefined) {
      record = { last: 0, size: this.#largest };
      this.#projects.set(project, record);
    }
    return record;
  }
}
