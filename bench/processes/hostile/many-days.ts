import { importLines, keepDoing, runAttack } from "../../support/reads/attack.js";

const DAY_MS = 86_400_000;
const DAYS = 400_000;
const REQUESTS = 8;
/** Maximum number of days in one request under the server's default limits. */
const DAYS_OF_A_REQUEST = 1_000;
/** Oldest day of the events: by default, servers reject days before 1970. */
const OLDEST_DAY_MS = Date.UTC(1970, 0, 2);

/** Imports events on very many days, then repeats requests with the maximum number of days. */
runAttack(async (target) => {
  const yesterday = Date.now() - DAY_MS;
  const send = (days: readonly number[], round: number): Promise<number> =>
    importLines(
      target,
      days.map((time) => eventAt(time, round)),
    );
  const end = performance.now() + 1000 * target.seconds;
  for (let index = 0; index < DAYS && performance.now() < end; index += DAYS / REQUESTS) {
    const days = Array.from({ length: DAYS / REQUESTS }, (_, day) => yesterday - (index + day) * DAY_MS);
    await send(days, 0);
  }
  const perRound = Math.floor((yesterday - OLDEST_DAY_MS) / DAY_MS / DAYS_OF_A_REQUEST);
  const left = (end - performance.now()) / 1000;
  const count = await keepDoing({ seconds: left, perSecond: 10, atOnce: 1 }, (index) => {
    const first = yesterday - (index % perRound) * DAYS_OF_A_REQUEST * DAY_MS;
    const days = Array.from({ length: DAYS_OF_A_REQUEST }, (_, day) => first - day * DAY_MS);
    return send(days, 1 + Math.floor(index / perRound));
  });
  return { did: `imports of ${DAYS} days in ${REQUESTS} requests, then ${count} of ${DAYS_OF_A_REQUEST}` };
});

function eventAt(time: number, round: number): string {
  const event = {
    appId: "app",
    messageId: `m${round}`,
    eventTime: new Date(time).toISOString(),
    eventType: "ACCEPTED",
    usageReportingOptIn: true,
  };
  return `${JSON.stringify(event)}\n`;
}
