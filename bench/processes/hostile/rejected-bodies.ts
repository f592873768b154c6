import { once } from "node:events";
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import { setTimeout as sleep } from "node:timers/promises";
import { keepDoing, runAttack } from "../../support/reads/attack.js";

const STREAMS = 300;
/** Larger than the form limit. */
const PART_BYTES = 70_000;
const PATIENCE_MS = 5_000;

/** Sends forms without a token on one connection. The server rejects them before they end. */
runAttack(async ({ integrityUrl, seconds }) => {
  const session = connect(integrityUrl).on("error", () => {});
  let sent = 0;
  await keepDoing({ seconds, perSecond: STREAMS / 3, atOnce: STREAMS }, async () => {
    if (sent === STREAMS || session.closed) return;
    sent++;
    sendPart(session);
  });
  const hasResponded = await respondsToPlainCall(session);
  return {
    did: `${sent} bodies that were rejected part-way`,
    checks: [
      {
        what: "a plain call on the same connection",
        figure: hasResponded ? "response" : "no response",
        target: "response",
        isMet: hasResponded,
      },
    ],
  };
});

function sendPart(session: ClientHttp2Session): void {
  const stream = session.request({
    ":method": "POST",
    ":path": "/oauth2/token",
    "content-type": "application/x-www-form-urlencoded",
  });
  stream.on("error", () => {}).resume();
  stream.write(Buffer.alloc(PART_BYTES, "a"));
}

async function respondsToPlainCall(session: ClientHttp2Session): Promise<boolean> {
  let stream: ClientHttp2Stream;
  try {
    stream = session.request({ ":path": "/.well-known/oauth-authorization-server" });
  } catch {
    // The server has closed the connection.
    return false;
  }
  const response = once(stream.resume(), "response").then(([headers]) => headers[":status"] === 200);
  return Promise.race([response, sleep(PATIENCE_MS, false, { ref: false })]).catch(() => false);
}
