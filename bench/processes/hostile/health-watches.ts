import { type ClientHttp2Session, connect } from "node:http2";
import { keepDoing, runAttack } from "../../support/reads/attack.js";

const CONNECTIONS = 80;
const STREAMS = 250;
/** An enveloped message without fields. */
const EMPTY_MESSAGE = Buffer.alloc(5);

/** Unauthenticated clients that watch the server's health and never stop. */
runAttack(async ({ integrityUrl, seconds }) => {
  const sessions: ClientHttp2Session[] = [];
  await keepDoing({ seconds, perSecond: (2 * CONNECTIONS) / seconds, atOnce: CONNECTIONS }, async () => {
    if (sessions.length === CONNECTIONS) return;
    const session = connect(integrityUrl).on("error", () => {});
    sessions.push(session);
    session.once("remoteSettings", () => {
      for (let stream = 0; stream < STREAMS; stream++) watch(session);
    });
  });
  return { did: `${CONNECTIONS * STREAMS} watchers on ${CONNECTIONS} connections` };
});

function watch(session: ClientHttp2Session): void {
  if (session.closed || session.destroyed) return;
  const stream = session.request({
    ":method": "POST",
    ":path": "/grpc.health.v1.Health/Watch",
    "content-type": "application/grpc",
    te: "trailers",
  });
  stream.on("error", () => {}).resume();
  stream.end(EMPTY_MESSAGE);
}
