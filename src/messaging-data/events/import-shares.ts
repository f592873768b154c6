import { Budget, type Release } from "../../limits/budget.js";
import { MAX_IMPORTS_BYTES, MAX_OPEN_BODY_BYTES } from "../../limits/limits.js";

/** Who imports. */
export interface Importer {
  /** Project number, in decimal. */
  readonly project: string;
  /** Tells the principal from all others. */
  readonly principal: string;
}

/** What one import holds. */
export interface ImportShare {
  /** Takes a place among those that are parsed and stored, once. @returns whether there was one. */
  takePlace(): boolean;
  /** Takes memory for lines that are about to be parsed. @returns whether there was enough. */
  takeMemory(bytes: number): boolean;
  /** Gives everything back. */
  release(): void;
}

/**
 * What the imports under way share: places and memory. Neither a project nor a principal gets more of them than it leaves
 * free, so that the imports of others can begin at any time.
 */
export class ImportShares {
  readonly #placesOfProjects: Budget;
  readonly #placesOfPrincipals: Budget;
  readonly #bytes: Budget;

  /**
   * @param maxConcurrent the most imports that are parsed and stored at the same time.
   * @param maxRequestBytes the most bytes of one import.
   */
  constructor(maxConcurrent: number, maxRequestBytes: number) {
    this.#placesOfProjects = new Budget({ total: maxConcurrent });
    this.#placesOfPrincipals = new Budget({ total: maxConcurrent });
    this.#bytes = new Budget({ total: Math.max(MAX_IMPORTS_BYTES, 4 * maxRequestBytes) });
  }

  /** Begins an import, whose body may be slow to come. @returns undefined if too many bodies are open already. */
  begin({ project, principal }: Importer): ImportShare | undefined {
    const held: Release[] = [];
    const take = (release: Release | undefined): boolean => {
      if (release !== undefined) held.push(release);
      return release !== undefined;
    };
    let hasPlace = false;
    const share: ImportShare = {
      takePlace: () => {
        hasPlace ||=
          take(this.#placesOfProjects.take(project)) && take(this.#placesOfPrincipals.take(principal));
        return hasPlace;
      },
      takeMemory: (bytes) => take(this.#bytes.take(project, bytes)),
      release: () => {
        for (const release of held) release();
      },
    };
    return share.takeMemory(MAX_OPEN_BODY_BYTES) ? share : undefined;
  }
}
