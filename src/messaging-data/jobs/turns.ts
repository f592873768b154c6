interface Record {
  /** Number of this project's last turn, among those of all projects. */
  last: number;
  /** Maximum number of days in its next turn. */
  size: number;
}

/** Turns of projects. The number of days in a turn depends on the success of the project's previous turns. */
export class Turns {
  readonly #largest: number;
  readonly #projects = new Map<string, Record>();
  #count = 0;

  /** @param largest maximum number of days in a turn. */
  constructor(largest: number) {
    this.#largest = largest;
  }

  /** Sorts projects by their last turn, the least recent first. */
  order(projects: readonly string[]): string[] {
    return [...projects].sort((a, b) => this.#recordOf(a).last - this.#recordOf(b).last);
  }

  /** Returns the maximum number of days in a project's next turn. */
  sizeFor(project: string): number {
    return this.#recordOf(project).size;
  }

  /**
   * Records the outcome of a turn. Halves the next one after a failure, down to a single day; doubles it
   * after a success.
   */
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
