import type { Disturbance } from "../faults/disturbance.js";
import type { Violations } from "../report/violations.js";

/** Lines quoted when the server ends unexpectedly. */
const MAX_LAST_LINES = 20;

/** Reads a server's log as it is written, and reports lines that must not occur. */
export class LogWatch {
  readonly #disturbance: Disturbance;
  readonly #violations: Violations;
  #torn = "";
  #last: string[] = [];

  constructor(disturbance: Disturbance, violations: Violations) {
    this.#disturbance = disturbance;
    this.#violations = violations;
  }

  /** The last lines, for a message. */
  get lastLines(): string {
    return this.#last.join("\n");
  }

  /** Call this when a server starts: drops an incomplete line of the previous process. */
  begin(): void {
    this.#torn = "";
  }

  read(chunk: string): void {
    const lines = (this.#torn + chunk).split("\n");
    this.#torn = lines.pop() ?? "";
    for (const line of lines) this.#check(line);
    this.#last = [...this.#last, ...lines].slice(-MAX_LAST_LINES);
  }

  #check(line: string): void {
    const entry = parsed(line);
    if (entry === undefined) this.#violations.add(`the log has a malformed line: ${line}`);
    else if (entry.status === 500) this.#violations.add(`responded 500: ${line}`);
    else if (
      (entry.level === "error" || entry.level === "fatal") &&
      !this.#disturbance.since(performance.now())
    ) {
      this.#violations.add(`logged an error without an injected failure: ${line}`);
    }
  }
}

function parsed(line: string): { readonly level?: string; readonly status?: number } | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
