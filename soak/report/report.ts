import type { Fault } from "../faults/faults.js";
import type { Usage } from "../server/usage.js";
import type { World } from "../work/world.js";
import { Tally } from "./tally.js";
import type { Violations } from "./violations.js";

const MIB = 1024 * 1024;

export class Report {
  readonly tally = new Tally();
  readonly violations: Violations;
  readonly #title: string;
  readonly #start = performance.now();
  readonly #faults = new Map<string, number>();
  readonly #remarks: string[] = [];
  readonly #usage: string[] = [];
  #events = 0;
  #changes = 0;

  constructor(title: string, violations: Violations) {
    this.#title = title;
    this.violations = violations;
  }

  fault({ kind }: Pick<Fault, "kind">): void {
    this.#faults.set(kind, (this.#faults.get(kind) ?? 0) + 1);
  }

  remark(text: string): void {
    this.#remarks.push(text);
  }

  /** @param first usage at the first checkpoint of the last process; `last` at its last checkpoint. */
  usage(first: Usage, last: Usage): void {
    this.#usage.push(`first checkpoint  ${usageText(first)}`, `last checkpoint   ${usageText(last)}`);
  }

  /** Adds everything that a server has acknowledged. */
  totals({ queue, ledger, twins }: World): void {
    this.#events += queue.acknowledgedEvents + twins.reduce((sum, pair) => sum + pair.acknowledgedEvents, 0);
    this.#changes += ledger.acknowledged;
  }

  line({ queue, ledger }: World, doing: string): string {
    const faults = [...this.#faults.values()].reduce((sum, count) => sum + count, 0);
    const figures = [
      `${Math.round((performance.now() - this.#start) / 1_000)} s`,
      `${queue.acknowledgedEvents} events`,
      `${ledger.acknowledged} changes`,
      `${faults} faults`,
      `${this.violations.count} violations`,
    ];
    return `${figures.join(", ")}${doing === "" ? "" : `; now: ${doing}`}`;
  }

  toString(): string {
    const requests = this.tally
      .rows()
      .map(
        ({ name, counts }) =>
          `  ${name.padEnd(16)}${counts.map(([status, count]) => `${status} ${count}`).join(", ")}`,
      );
    const faults = [...this.#faults].sort().map(([kind, count]) => `${kind} ${count}`);
    return [
      this.#title,
      `time: ${Math.round((performance.now() - this.#start) / 1_000)} s`,
      "requests by protocol and status:",
      ...requests,
      `events acknowledged: ${this.#events}`,
      `configuration changes acknowledged: ${this.#changes}`,
      `faults: ${faults.join(", ")}`,
      ...this.#usage,
      ...this.#remarks,
      `violations: ${this.violations.count}`,
      ...this.violations.quoted.map((text) => `  ${text}`),
    ].join("\n");
  }
}

export const usageText = ({ rss, heapUsed, external, openFiles }: Usage): string =>
  `${mib(rss)} resident, ${mib(heapUsed)} heap, ${mib(external)} external, ${openFiles} open files`;

const mib = (bytes: number): string => `${(bytes / MIB).toFixed(1)} MiB`;
