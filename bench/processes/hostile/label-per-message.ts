import { setTimeout as sleep } from "node:timers/promises";
import { importLines, keepDoing, runAttack } from "../../support/reads/attack.js";

/** A day that has ended in every time zone. */
const AGE_MS = 2 * 86_400_000;
/** The server's default limit. */
const MAX_LABELS = 100_000;
const LABELS_OF_A_REQUEST = 20_000;
/** Messages of each label: a busy day with the maximum number of labels. */
const MESSAGES_OF_A_LABEL = 5;
/** Pause before a request is repeated that found no free slot, in milliseconds. */
const PAUSE_MS = 200;

/**
 * Imports messages with a label each until the project reaches its limit. Then imports late messages with known labels,
 * which make the day due again, and messages with further labels, which the server rejects.
 */
runAttack(async (target) => {
  const time = new Date(Date.now() - AGE_MS).toISOString();
  const send = (first: number, count: number, round: number): Promise<number> =>
    importLines(
      target,
      Array.from({ length: count }, (_, index) => eventOf(time, first + index, round)),
    );
  const end = performance.now() + 1000 * target.seconds;
  for (let round = 0; round < MESSAGES_OF_A_LABEL; round++) {
    for (let first = 0; first < MAX_LABELS && performance.now() < end; first += LABELS_OF_A_REQUEST) {
      while ((await send(first, LABELS_OF_A_REQUEST, round)) === 503) await sleep(PAUSE_MS);
    }
  }
  const further = await send(MAX_LABELS, LABELS_OF_A_REQUEST, 0);
  const left = Math.max(0, end - performance.now()) / 1000;
  const count = await keepDoing({ seconds: left, perSecond: 10, atOnce: 4 }, (index) =>
    index % 2 === 0
      ? send((index * 97) % MAX_LABELS, 1, MESSAGES_OF_A_LABEL + index)
      : send(MAX_LABELS + index, 1_000, 0),
  );
  return {
    did: `imports of ${MAX_LABELS} labels on one day, ${MESSAGES_OF_A_LABEL} messages each, then ${count} requests`,
    checks: [
      {
        what: "an import of further labels",
        figure: String(further),
        target: "400",
        isMet: further === 400,
      },
    ],
  };
});

function eventOf(eventTime: string, label: number, round: number): string {
  const event = {
    appId: "app",
    messageId: `m${label}-${round}`,
    eventTime,
    eventType: "ACCEPTED",
    analyticsLabel: `m-${label}`,
    usageReportingOptIn: true,
  };
  return `${JSON.stringify(event)}\n`;
}
