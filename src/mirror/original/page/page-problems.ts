import { printable } from "../../../limits/excerpt.js";

/** Most kinds of problems that are told of a page. */
const MAX_KINDS = 20;

/** Collects what is wrong with a page: each kind of problem once, with the first value that shows it. */
export class PageProblems {
  readonly #texts = new Map<string, string>();

  /** @param value a value of the page that shows the problem. */
  tell(kind: string, value?: unknown): void {
    if (this.#texts.has(kind) || this.#texts.size > MAX_KINDS) return;
    if (this.#texts.size === MAX_KINDS) this.#texts.set("", "there are further kinds of problems");
    else this.#texts.set(kind, value === undefined ? kind : `${kind}: ${excerptOf(value)}`);
  }

  /** Short printable sentences, in the order in which they were told. */
  get texts(): readonly string[] {
    return [...this.#texts.values()];
  }
}

function excerptOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return printable(String(value));
  return Array.isArray(value) ? "an array" : "an object";
}
