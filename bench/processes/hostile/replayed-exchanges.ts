import { send } from "../../../test/support/http/exchange.js";
import { neverCheck, runDeviceAttack } from "../../support/attest/device-attack.js";
import { keepDoing } from "../../support/reads/attack.js";

const PER_SECOND = 20;
const AT_ONCE = 8;
/** Copies of each request that are sent at once. */
const COPIES = 8;

/** Assertions with used challenges or counters, and tokens that are consumed several times at once. */
await runDeviceAttack(async ({ integrityUrl: url, project, token, seconds }, devices) => {
  let [exchanges, tokens, reused, accepted] = [0, 0, 0, 0];
  const consume = async (appCheckToken: string): Promise<boolean> => {
    const { status, text } = await send(url, `/v1beta/projects/${project}:verifyAppCheckToken`, {
      method: "POST",
      token,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ appCheckToken }),
    });
    return status === 200 && JSON.parse(text).alreadyConsumed !== true;
  };
  const attack = async (): Promise<void> => {
    const attested = await devices.attest(url);
    const request = await devices.assertion(url, attested);
    const copies = await Promise.all(Array.from({ length: COPIES }, () => devices.post(url, request)));
    copies.push(await devices.post(url, await devices.assertion(url, attested, attested.counter)));
    const issued = copies.filter(({ status }) => status === 200);
    exchanges += copies.length - 1;
    accepted += issued.length - 1;
    const { token: appToken } = JSON.parse(issued[0]?.text ?? "{}") as { token: string };
    const first = await Promise.all(Array.from({ length: COPIES }, () => consume(appToken)));
    tokens += COPIES - 1;
    reused += first.filter(Boolean).length - 1;
  };
  const errors: unknown[] = [];
  await keepDoing({ seconds, perSecond: PER_SECOND, atOnce: AT_ONCE }, () =>
    attack().catch((error) => errors.push(error)),
  );
  if (errors.length > 0) throw errors[0];
  return {
    did: `${exchanges} replayed exchanges, and ${tokens} reused tokens`,
    checks: [
      neverCheck("replayed exchanges that get a token", accepted, exchanges),
      neverCheck("reused tokens that count as first", reused, tokens),
    ],
  };
});
