import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { respondToQuestions } from "../process.js";

/** An attack's target, credentials and duration. */
export interface Target {
  readonly integrityUrl: string;
  readonly messagingDataUrl: string;
  readonly adminUrl: string;
  /** A token of a principal with the role `editor` in the project. Some attacks do not use it. */
  readonly token: string;
  readonly project: string;
  /** An app of the project; it has 10,000 entries if the attack reads pages. */
  readonly app: string;
  readonly seconds: number;
}

/** An attack's outcome. */
export interface AttackReport {
  /** Description of the requests that were sent. */
  readonly did: string;
  readonly checks?: readonly Check[];
}

/** A check of the server's behavior, shown in a line of the table. */
export interface Check {
  readonly what: string;
  readonly figure: string;
  readonly target: string;
  readonly isMet: boolean;
}

/** Imports lines of events, as one gzip-encoded request. @returns the HTTP status of the response. */
export async function importLines(
  { messagingDataUrl, project, token }: Target,
  lines: readonly string[],
): Promise<number> {
  const response = await fetch(`${messagingDataUrl}/v1beta1/projects/${project}/messageEvents:import`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/x-ndjson",
      "content-encoding": "gzip",
    },
    body: gzipSync(lines.join("")),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Runs an attack on request. Its connections stay open until the process is stopped. */
export function runAttack(attack: (target: Target) => Promise<AttackReport>): void {
  respondToQuestions(attack);
}

/** The pace of repeated work. */
export interface Pace {
  readonly seconds: number;
  readonly perSecond: number;
  /** The pace of repeated work. */
  readonly atOnce: number;
}

/**
 * Starts work at a steady pace, and abandons unfinished work at the end. Failed work counts as finished, because the
 * server may reject it.
 *
 * @returns the number of starts.
 */
export async function keepDoing(
  { seconds, perSecond, atOnce }: Pace,
  work: (index: number) => Promise<unknown>,
): Promise<number> {
  const end = performance.now() + 1000 * seconds;
  let begun = 0;
  let underWay = 0;
  const ended = (): void => {
    underWay--;
  };
  while (performance.now() < end) {
    if (underWay < atOnce) {
      underWay++;
      work(begun++).then(ended, ended);
    }
    await sleep(1000 / perSecond);
  }
  return begun;
}
