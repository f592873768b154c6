import { connect } from "node:net";
import { keepDoing, runAttack } from "../../support/reads/attack.js";

const CONNECTIONS = 15_000;
/** Number of connections that are opened together. */
const BATCH = 100;

/** Unauthenticated connections to both services, each with only a partial request. */
runAttack(async ({ integrityUrl, messagingDataUrl, seconds }) => {
  const ports = [integrityUrl, messagingDataUrl].map((url) => Number(new URL(url).port));
  let opened = 0;
  let closed = 0;
  const perSecond = (2 * CONNECTIONS) / BATCH / seconds;
  await keepDoing({ seconds, perSecond, atOnce: 1 }, async () => {
    for (let index = 0; index < BATCH && opened < CONNECTIONS; index++) {
      const socket = connect({ host: "127.0.0.1", port: ports[opened++ % ports.length] ?? 0 });
      socket.on("error", () => {}).once("close", () => closed++);
      socket.write("GET / HTTP/1.1\r\n");
    }
  });
  return { did: `${opened} connections; of these ${closed} were closed` };
});
