import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { largePage } from "../../support/data/large-page.js";
import { duration } from "../../support/measurement.js";
import { type Check, keepDoing, runAttack, type Target } from "../../support/reads/attack.js";

const CONNECTIONS = 150;
const PIPELINED = 6;
const MAX_OWN_LIST_MS = 10_000;

/** HTTP/1.1 connections that request large pages and read nothing. */
runAttack(async (target) => {
  const { hostname, port, host } = new URL(target.messagingDataUrl);
  let opened = 0;
  const ownList = sleep((1000 * target.seconds) / 3).then(() => listOfSamePrincipal(target));
  await keepDoing({ seconds: target.seconds, perSecond: CONNECTIONS / 3, atOnce: CONNECTIONS }, async () => {
    if (opened === CONNECTIONS) return;
    const connection = opened++;
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on("error", () => {});
    await once(socket, "connect");
    for (let index = 0; index < PIPELINED; index++) {
      const path = largePage(target, connection * PIPELINED + index);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${target.token}\r\n\r\n`);
    }
  });
  return {
    did: `${opened} connections that requested ${PIPELINED} pages each and read nothing`,
    checks: [await ownList],
  };
});

/** Measures the time until another list of the attacking principal gets any response. */
async function listOfSamePrincipal({ messagingDataUrl, project, app, token }: Target): Promise<Check> {
  const url = `${messagingDataUrl}/v1beta1/projects/${project}/androidApps/${app}/deliveryData?pageSize=1`;
  const start = performance.now();
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  const took = performance.now() - start;
  const isSaid = response.ok || response.headers.has("retry-after");
  return {
    what: `until another list of the same principal gets a response (${response.status})`,
    figure: duration(took),
    target: `≤ ${duration(MAX_OWN_LIST_MS)}`,
    isMet: isSaid && took <= MAX_OWN_LIST_MS,
  };
}
