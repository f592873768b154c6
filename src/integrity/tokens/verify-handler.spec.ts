import { create } from "@bufbuild/protobuf";
import { afterEach, beforeEach, expect, it } from "vitest";
import { testDirectory } from "../../../test/support/test-directory.js";
import type { ProjectCaller } from "../../api/caller.js";
import type { CallContext } from "../../api/service.js";
import { testRecords } from "../../control/testing/test-records.js";
import { VerifyAppCheckTokenRequestSchema } from "../../gen/waybill/integrity/v1/integrity_pb.js";
import { AdjustableClock, systemClock } from "../../model/clock.js";
import { TokenIssuer } from "./token-issuer.js";
import { TokenKeyRing } from "./token-keys.js";
import { TokenSigner } from "./token-signer.js";
import { verifyHandler } from "./verify-handler.js";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 0, 1);
const PROJECT = { id: "project", number: "7" };

let clock: AdjustableClock;
let machineClock: AdjustableClock;
let ring: TokenKeyRing;
let issue: () => Promise<string>;
/** Consumes a token. Returns true if it was consumed before. */
let isReused: (token: string) => Promise<boolean>;
beforeEach(async () => {
  machineClock = stoppedClock();
  clock = stoppedClock();
  const records = await testRecords(await testDirectory(), machineClock);
  const onRotationError = (error: unknown): void => {
    throw error;
  };
  ring = await TokenKeyRing.open({ records, clock, rotation: 30 * DAY, onRotationError });
  const configs = { find: async () => ({ tokenTtl: { seconds: 604_800n, nanos: 0 } }) };
  const signer = new TokenSigner({ areFrequent: false });
  const issuerName = () => "https://tokens.example.com";
  const issuer = new TokenIssuer({ keys: ring, signer, configs, issuerName, clock });
  const handle = verifyHandler({ keys: ring, issuer, records, clock, machineClock });
  const context = { caller: { project: PROJECT } } as CallContext<ProjectCaller>;
  issue = async () =>
    (await issuer.issue({ project: PROJECT, appId: "a", provider: "debug", limitedUse: false })).token;
  isReused = async (appCheckToken) => {
    const request = create(VerifyAppCheckTokenRequestSchema, { appCheckToken });
    return (await handle(request, context)).alreadyConsumed;
  };
});
afterEach(() => ring.close());

it("verifyHandler remembers a consumed token for its whole lifetime, even if the clock is set back", async () => {
  const token = await issue();
  clock.set({ time: NOW + 7 * DAY - 1_000 });
  expect(await isReused(token)).toBe(false);
  clock.set({ time: NOW });
  machineClock.set({ time: NOW + 7 * DAY });
  expect(await isReused(token)).toBe(true);
});

function stoppedClock(): AdjustableClock {
  const stopped = new AdjustableClock(systemClock);
  stopped.set({ time: NOW, rate: 0 });
  return stopped;
}
