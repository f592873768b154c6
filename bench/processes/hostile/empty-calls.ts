import { once } from "node:events";
import { type ClientHttp2Session, connect } from "node:http2";
import { setTimeout as sleep } from "node:timers/promises";
import { runAttack } from "../../support/reads/attack.js";

const CALLS = 200;
const PATIENCE_MS = 5_000;

/**
 * Unary gRPC calls with a single DATA frame, which is empty and ends the stream, all sent before the token is verified.
 */
runAttack(async ({ integrityUrl, token }) => {
  const session = connect(integrityUrl).on("error", () => {});
  const calls = Array.from({ length: CALLS }, () => hasResponded(session, token));
  const responded = (await Promise.all(calls)).filter(Boolean).length;
  return {
    did: `${CALLS} calls without a message`,
    checks: [
      {
        what: "calls without a message that get a response",
        figure: `${responded} of ${CALLS}`,
        target: "all",
        isMet: responded === CALLS,
      },
    ],
  };
});

async function hasResponded(session: ClientHttp2Session, token: string): Promise<boolean> {
  const stream = session.request({
    ":method": "POST",
    ":path": "/waybill.integrity.v1.IntegrityService/GetAppAttestConfig",
    "content-type": "application/grpc",
    te: "trailers",
    authorization: `Bearer ${token}`,
  });
  const response = once(stream, "response").then(() => true);
  stream.resume().end();
  return Promise.race([response, sleep(PATIENCE_MS, false, { ref: false })]).catch(() => false);
}
