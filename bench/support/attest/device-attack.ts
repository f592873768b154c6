import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Devices } from "../../../test/support/data/devices.js";
import { respondToQuestions } from "../process.js";
import type { AttackReport, Check, Target } from "../reads/attack.js";
import { DEVICES_APP } from "./devices.js";

/** Path of the root certificate for the attacker's devices. The server trusts it. */
export interface TrustQuestion {
  readonly rootFile: string;
}

/** Pause between two exchanges of a well-behaved device, in milliseconds. */
const PAUSE_MS = 250;
/** Address of a well-behaved device. */
const OTHER_ADDRESS = "127.0.0.2";

/**
 * An attack with devices of the app. At the same time, a well-behaved device at another address exchanges assertions.
 */
export async function runDeviceAttack(
  attack: (target: Target, devices: Devices) => Promise<AttackReport>,
): Promise<void> {
  const devices = await Devices.create(DEVICES_APP);
  respondToQuestions(async (question: Target | TrustQuestion): Promise<AttackReport> => {
    if ("rootFile" in question) {
      writeFileSync(question.rootFile, devices.root);
      return { did: "wrote the root certificate" };
    }
    const [report, check] = await Promise.all([
      attack(question, devices),
      exchangesMeanwhile(question, devices.at(OTHER_ADDRESS)),
    ]);
    return { ...report, checks: [...(report.checks ?? []), check] };
  });
}

async function exchangesMeanwhile({ integrityUrl: url, seconds }: Target, devices: Devices): Promise<Check> {
  const attested = await devices.attest(url);
  const end = performance.now() + 1_000 * seconds;
  let [count, successes] = [0, 0];
  for (; performance.now() < end; count++) {
    const { status } = await devices.post(url, await devices.assertion(url, attested));
    successes += Number(status === 200);
    await sleep(PAUSE_MS);
  }
  return {
    what: "exchanges of a device at another address that succeed",
    figure: `${successes} of ${count}`,
    target: "all",
    isMet: successes === count && count > 0,
  };
}

/** Checks that no request was accepted by mistake. */
export const neverCheck = (what: string, count: number, of: number): Check => ({
  what,
  figure: `${count.toLocaleString("en-US")} of ${of.toLocaleString("en-US")}`,
  target: "0",
  isMet: count === 0 && of > 0,
});
