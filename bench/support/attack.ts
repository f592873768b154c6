import { setTimeout as sleep } from "node:timers/promises";
import { answerQuestions } from "./process.js";

/** Whom to attack, as whom, and for how long. */
export interface Target {
  readonly integrityUrl: string;
  readonly messagingDataUrl: string;
  /** A token of a principal with the role `editor` in the project. Strangers do without. */
  readonly token: string;
  readonly project: string;
  /** An app of the project that has 10,000 entries, if the attack reads some. */
  readonly app: string;
  readonly seconds: number;
}

/** What came of an attack. */
export interface AttackReport {
  /** What was sent, for people. */
  readonly did: string;
  /** What must hold for the attacker as well. */
  readonly checks?: readonly Check[];
}

/** A statement on the server's conduct that the table shows in a line of its own. */
export interface Check {
  readonly what: string;
  readonly figure: string;
  readonly reach: string;
  readonly reached: boolean;
}

/** Runs an attack when it is asked for. Its connections stay open until the process is stopped. */
export function answerAttack(attack: (target: Target) => Promise<AttackReport>): void {
  answerQuestions(attack);
}

/** How often to do something. */
export interface Pace {
  readonly seconds: number;
  readonly perSecond: number;
  /** No more is begun while so many have not ended. */
  readonly atOnce: number;
}

/**
 * Begins work at a steady pace and leaves what has not ended when the time is over. What fails counts as ended: the
 * server may well refuse it.
 *
 * @returns how often it was begun.
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
