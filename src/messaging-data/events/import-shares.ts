import { Budget, type Release } from "../../limits/budget.js";
import { MAX_IMPORTS_BYTES, MAX_OPEN_BODY_BYTES } from "../../limits/data-limits.js";
import type { ProjectNumber } from "../../model/names.js";

/** Minimum size of a large import, in bytes. Producers that send continuously send less at a time. */
const LARGE_BYTES = 4 * 1024 * 1024;
/** Time to wait for the next part of a large import, in milliseconds. */
const GAP = 500;

/** The project and caller of an import. */
export interface Importer {
  readonly project: ProjectNumber;
  /** The caller's budget key. */
  readonly caller: string;
}

export interface ImportShare {
  /** Reserves a place among the concurrent imports. May be called only once. @returns false if no place is free. */
  reservePlace(): boolean;
  /** Reserves memory for lines. @returns false if too little memory is free. */
  reserveMemory(bytes: number): boolean;
  /** Releases all resources. */
  release(): void;
}

/**
 * Divides places and memory among concurrent imports. No project and no caller may use more than it leaves free for
 * others, so that others can always start an import.
 */
export class ImportShares {
  readonly #placesOfProjects: Budget;
  readonly #placesOfCallers: Budget;
  readonly #bytesOfProjects: Budget;
  readonly #bytesOfCallers: Budget;
  /** Projects that have just finished a large import, each with a timer. */
  readonly #gaps = new Map<string, NodeJS.Timeout>();
  readonly #onQuiet: () => void;

  /**
   * @param maxRequestBytes maximum size of one import, in bytes.
   * @param onQuiet called when no other import has followed a large one.
   */
  constructor(maxConcurrent: number, maxRequestBytes: number, onQuiet: () => void) {
    this.#onQuiet = onQuiet;
    this.#placesOfProjects = new Budget({ total: maxConcurrent });
    this.#placesOfCallers = new Budget({ total: maxConcurrent });
    const bytes = { total: Math.max(MAX_IMPORTS_BYTES, 4 * maxRequestBytes) };
    this.#bytesOfProjects = new Budget(bytes);
    this.#bytesOfCallers = new Budget(bytes);
  }

  /**
   * Returns true while an import of the project is in progress, and for half a second after a large import, because
   * more parts of the same file may follow.
   */
  isImporting(project: string): boolean {
    return this.#placesOfProjects.heldBy(project) > 0 || this.#gaps.has(project);
  }

  /** Begins an import, which may arrive slowly. @returns `undefined` if too many request bodies are open. */
  begin({ project, caller }: Importer): ImportShare | undefined {
    const held: Release[] = [];
    const take = (release: Release | undefined): boolean => {
      if (release !== undefined) held.push(release);
      return release !== undefined;
    };
    let hasPlace = false;
    let taken = 0;
    const share: ImportShare = {
      reservePlace: () => {
        hasPlace ||= take(this.#placesOfProjects.take(project)) && take(this.#placesOfCallers.take(caller));
        return hasPlace;
      },
      reserveMemory: (bytes) => {
        taken += bytes;
        return (
          take(this.#bytesOfProjects.take(project, bytes)) && take(this.#bytesOfCallers.take(caller, bytes))
        );
      },
      release: () => {
        if (taken >= LARGE_BYTES) this.#expectMore(project);
        for (const release of held) release();
      },
    };
    if (share.reserveMemory(MAX_OPEN_BODY_BYTES)) return share;
    share.release();
    return undefined;
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
