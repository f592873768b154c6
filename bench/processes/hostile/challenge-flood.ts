import { runDeviceAttack } from "../../support/attest/device-attack.js";
import { keepDoing } from "../../support/reads/attack.js";

const PER_SECOND = 1_000;
const AT_ONCE = 64;
/** The server's limit per minute, and its maximum burst. */
const PER_MINUTE = 300;

/** Requests challenges from one address, far above its limit. */
await runDeviceAttack(async ({ integrityUrl, seconds }, devices) => {
  const request = { method: "generateAppAttestChallenge", body: {} };
  let [created, responded] = [0, 0];
  const sent = await keepDoing({ seconds, perSecond: PER_SECOND, atOnce: AT_ONCE }, async () => {
    const { status } = await devices.post(integrityUrl, request);
    responded++;
    created += Number(status === 200);
  });
  const allowed = PER_MINUTE + Math.ceil((PER_MINUTE * (seconds + 1)) / 60);
  return {
    did: `${sent} requests for challenges from one address`,
    checks: [
      {
        what: "challenges that the server creates",
        figure: `${created} for ${responded.toLocaleString("en-US")} requests`,
        target: `≤ ${allowed}`,
        isMet: created > 0 && created <= allowed,
      },
    ],
  };
});
