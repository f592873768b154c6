import { LRUCache } from "lru-cache";
import type { DayLedger } from "../../../control/day-ledger.js";
import type { Day } from "../../../model/day.js";
import type { DatedNames, EventNames, NameLimits, ProjectNumber } from "../../../model/names.js";
import { datedNamesOf, type StateBlock } from "../../state-block.js";

/** Maximum number of names in the cache. Other names are looked up in the ledger. */
const MAX_CACHED = 300_000;

const KINDS = ["apps", "labels"] as const;

/**
 * Counts the names of projects in the ledger, and caches the last day of each name. All names in an append are usually
 * in the cache, so that no statement is needed. A name counts at least until its last day is sealed. After that, events
 * of this day are dropped.
 */
export class ProjectNames {
  readonly #ledger: DayLedger;
  readonly #limits: NameLimits;
  readonly #lastDays = new LRUCache<string, Day>({ max: MAX_CACHED });

  constructor(ledger: DayLedger, limits: NameLimits) {
    this.#ledger = ledger;
    this.#limits = limits;
  }

  /**
   * Counts the names in blocks. @returns names that exceed the project's limits, or `undefined` if there are none.
   */
  async admit(project: ProjectNumber, blocks: readonly StateBlock[]): Promise<EventNames | undefined> {
    const names = datedNamesOf(blocks);
    const unknown: DatedNames = {
      apps: this.#unknown(project, "apps", names.apps),
      labels: this.#unknown(project, "labels", names.labels),
    };
    if (unknown.apps.size + unknown.labels.size === 0) return undefined;
    const excess = await this.#ledger.admitNames(project, unknown, this.#limits);
    if (excess !== undefined) return excess;
    for (const kind of KINDS) {
      for (const [name, day] of unknown[kind]) this.#lastDays.set(`${kind}/${project}/${name}`, day);
    }
    return undefined;
  }

  #unknown(
    project: ProjectNumber,
    kind: (typeof KINDS)[number],
    names: ReadonlyMap<string, Day>,
  ): ReadonlyMap<string, Day> {
    return new Map(
      [...names].filter(([name, day]) => {
        const last = this.#lastDays.get(`${kind}/${project}/${name}`);
        return last === undefined || last < day;
      }),
    );
  }
}
