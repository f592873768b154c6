import { Budget, type Release } from "../../limits/budget.js";
import { MAX_IMPORTS_BYTES, MAX_OPEN_BODY_BYTES } from "../../limits/limits.js";

/** Size from which on an import is large: more than producers send at a time, in bytes. */
const LARGE_BYTES = 4 * 1024 * 1024;
/** Time for which further imports are expected after a large one, in milliseconds. */
const GAP = 500;

/** The project and the caller of an import. */
export interface Importer {
  /** Project number, in decimal. */
  readonly project: string;
  /** The caller's budget key. */
  readonly caller: string;
}

/** The resources that one import holds. */
export interface ImportShare {
  /** Takes a place among the imports being parsed and stored, once. @returns true if a place was free. */
  takePlace(): boolean;
  /** Takes memory for lines about to be parsed. @returns true if there was enough. */
  takeMemory(bytes: number): boolean;
  /** Releases all resources. */
  release(): void;
}

/**
 * Divides places and memory among the imports in progress. A project, and for places also a caller, gets
 * at most as much as it leaves free: others can start imports at any time.
 */
export class ImportShares {
  readonly #placesOfProjects: Budget;
  readonly #placesOfCallers: Budget;
  readonly #bytes: Budget;
  /** Projects whose large import ended just now. */
  readonly #gaps = new Map<string, NodeJS.Timeout>();
  readonly #onQuiet: () => void;

  /**
   * @param maxConcurrent maximum number of imports that are parsed and stored at the same time.
   * @param maxRequestBytes maximum size of one import, in bytes.
   * @param onQuiet called when no further import has followed a large one.
   */
  constructor(maxConcurrent: number, maxRequestBytes: number, onQuiet: () => void) {
    this.#onQuiet = onQuiet;
    this.#placesOfProjects = new Budget({ total: maxConcurrent });
    this.#placesOfCallers = new Budget({ total: maxConcurrent });
    this.#bytes = new Budget({ total: Math.max(MAX_IMPORTS_BYTES, 4 * maxRequestBytes) });
  }

  /**
   * Returns true while an import of the project is parsed or stored, and for half a second after a large one: a file that
   * is sent in parts takes some time between two of them.
   */
  isImporting(project: string): boolean {
    return this.#placesOfProjects.heldBy(project) > 0 || this.#gaps.has(project);
  }

  /**
   * Begins an import, whose body may arrive slowly. @returns `undefined` if too many bodies are already open.
   */
  begin({ project, caller }: Importer): ImportShare | undefined {
    const held: Release[] = [];
    const take = (release: Release | undefined): boolean => {
      if (release !== undefined) held.push(release);
      return release !== undefined;
    };
    let hasPlace = false;
    let taken = 0;
    const share: ImportShare = {
      takePlace: () => {
        hasPlace ||= take(this.#placesOfProjects.take(project)) && take(this.#placesOfCallers.take(caller));
        return hasPlace;
      },
      takeMemory: (bytes) => {
        taken += bytes;
        return take(this.#bytes.take(project, bytes));
      },
      release: () => {
        if (taken >= LARGE_BYTES) this.#expectMore(project);
        for (const release of held) release();
      },
    };
    return share.takeMemory(MAX_OPEN_BODY_BYTES) ? share : undefined;
  }

  #expectMore(project: string): void {
    clearTimeout(this.#gaps.get(project));
    const gap = setTimeout(() => {
      this.#gaps.delete(project);
      this.#onQuiet();
    }, GAP);
    this.#gaps.set(project, gap.unref());
  }
}
