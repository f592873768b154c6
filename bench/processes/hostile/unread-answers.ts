import { once } from "node:events";
import { connect } from "node:net";
import { largePage } from "../../support/data/large-page.js";
import { answerAttack, keepDoing } from "../../support/reads/attack.js";

const CONNECTIONS = 150;
const PIPELINED = 6;

/** HTTP/1.1 connections that request large pages and read nothing. */
answerAttack(async (target) => {
  const { hostname, port, host } = new URL(target.messagingDataUrl);
  let opened = 0;
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
  return { did: `${opened} connections that asked for ${PIPELINED} pages each and read nothing` };
});
