import type { ConfigChange } from "../../src/integrity/app-attest-configs.js";

/** A change's outcome as its sender knows it. */
export type Outcome = "acknowledged" | "rejected" | "unknown";

interface SentChange {
  /** The value that its etag stands for; undefined without an etag. */
  readonly from: string | undefined;
  outcome: Outcome;
}

/**
 * All changes sent to the configurations of apps. Each sets a unique time to live, which identifies it in the
 * history.
 */
export class ChangeLedger {
  readonly #sent = new Map<string, SentChange>();
  #acknowledged = 0;

  get acknowledged(): number {
    return this.#acknowledged;
  }

  /**
   * Records a change that is about to be sent.
   * @param from the value that its etag stands for.
   * @returns the value to set, in ProtoJSON.
   */
  begin(from: string | undefined): string {
    const number = this.#sent.size + 1;
    // The last digit is never 0, which leaves only one way to write the duration.
    const ttl = `${1_800 + (number % 600_000)}.${String(number % 99_999_999).padStart(8, "0")}1s`;
    this.#sent.set(ttl, { from, outcome: "unknown" });
    return ttl;
  }

  settle(ttl: string, outcome: Outcome): void {
    const sent = this.#sent.get(ttl);
    if (sent !== undefined) sent.outcome = outcome;
    if (outcome === "acknowledged") this.#acknowledged += 1;
  }

  violations(changes: readonly ConfigChange[]): string[] {
    const wrong: string[] = [];
    const made = new Set<string>();
    const latest = new Map<string, ConfigChange>();
    for (const change of changes) {
      const app = `${change.project}/${change.appId}`;
      const name = `${app} revision ${change.revision}`;
      const before = latest.get(app);
      const ttl = change.tokenTtl ?? "";
      const previous = change.previousTokenTtl;
      const sent = this.#sent.get(ttl);
      if (change.revision !== (before?.revision ?? 0) + 1) wrong.push(`${name}: not the next`);
      if (previous !== (before?.tokenTtl ?? null)) wrong.push(`${name}: another value before it`);
      if (sent === undefined) wrong.push(`${name}: nobody sent ${ttl}`);
      if (sent?.from !== undefined && sent.from !== previous) wrong.push(`${name}: its etag did not match`);
      if (sent?.outcome === "rejected") wrong.push(`${name}: it was rejected`);
      if (made.has(ttl)) wrong.push(`${name}: made twice`);
      made.add(ttl);
      latest.set(app, change);
    }
    for (const [ttl, { outcome }] of this.#sent) {
      if (outcome === "acknowledged" && !made.has(ttl)) wrong.push(`the change to ${ttl} is lost`);
    }
    return wrong;
  }
}
