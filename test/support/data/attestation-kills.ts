import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFailed } from "vitest";
import { Random } from "../../../src/simulator/random.js";
import { send } from "../http/exchange.js";
import { poll } from "../poll.js";
import { PROJECT } from "../servers/project.js";
import type { ServerProcess } from "../servers/server-process.js";
import { APP } from "./attesting-server.js";
import type { AttestedDevice, Devices, ExchangeRequest } from "./devices.js";

const KILLS = 8;
const DEVICES = 6;
/** Maximum number of acknowledged exchanges to wait for before a kill. */
const MAX_ACKNOWLEDGED = 12;
/** Maximum delay of a kill in milliseconds, so that kills hit each stage of an exchange. */
const MAX_DELAY_MS = 25;

/** A request, and whether its success was acknowledged. */
interface Sent<Request> {
  readonly request: Request;
  acknowledged: boolean;
}

/** Requests from one device to a process that is killed repeatedly. */
interface Traffic {
  readonly attested: AttestedDevice;
  /** Counter of the last acknowledged assertion. */
  counter: number;
  readonly exchanges: Sent<ExchangeRequest>[];
  /** App tokens that were consumed. */
  readonly consumed: Sent<string>[];
}

/** A server that can be restarted with the same state after a kill. */
export interface KilledServer {
  readonly devices: Devices;
  readonly start: () => Promise<ServerProcess>;
  /** An access token of a viewer, valid at each started server. */
  readonly token: (server: ServerProcess) => Promise<string>;
}

/**
 * Kills a server repeatedly while devices exchange and consume tokens. After each restart, no counter may be lower, and
 * no challenge or token may be accepted again.
 */
export async function expectStateToSurviveKills({ devices, start, token }: KilledServer): Promise<void> {
  const seed = randomInt(2 ** 32);
  onTestFailed(() => console.log(`the seed of the random numbers is ${seed}`));
  const random = new Random(seed);
  let server = await start();
  const traffics = await Promise.all(
    Array.from({ length: DEVICES }, async (): Promise<Traffic> => {
      return { attested: await devices.attest(server.integrityUrl), counter: 0, exchanges: [], consumed: [] };
    }),
  );
  for (let kill = 0; kill < KILLS; kill++) {
    const { integrityUrl } = server;
    const viewer = await token(server);
    const acknowledged = (): number =>
      traffics.reduce((sum, { exchanges }) => sum + exchanges.filter((sent) => sent.acknowledged).length, 0);
    const wanted = acknowledged() + 1 + random.below(MAX_ACKNOWLEDGED);
    const failing = traffics.map((traffic) => exchangeUntilFailure(traffic, integrityUrl, viewer));
    await poll(() => acknowledged() >= wanted);
    await sleep(random.below(MAX_DELAY_MS));
    await server.stop("SIGKILL");
    await Promise.all(failing);
    server = await start();
    const next = { url: server.integrityUrl, viewer: await token(server) };
    for (const traffic of traffics) await expectState(traffic, next);
  }

  /** Exchanges assertions, and consumes their tokens, until a request is not acknowledged. */
  async function exchangeUntilFailure(traffic: Traffic, url: string, viewer: string): Promise<void> {
    const { attested, exchanges, consumed } = traffic;
    try {
      for (;;) {
        const exchange = { request: await devices.assertion(url, attested), acknowledged: false };
        exchanges.push(exchange);
        const { token: appToken } = await devices.call<{ token: string }>(url, exchange.request);
        exchange.acknowledged = true;
        traffic.counter = attested.counter;
        const consumption = { request: appToken, acknowledged: false };
        consumed.push(consumption);
        expect(await consume(url, viewer, appToken)).toEqual({});
        consumption.acknowledged = true;
      }
    } catch (error) {
      // The process was killed. Earlier responses must be successes.
      expect(String(error)).toMatch(/ECONNRE|socket hang up|aborted/);
    }
  }

  async function expectState(traffic: Traffic, { url, viewer }: { url: string; viewer: string }) {
    const { attested, exchanges, consumed } = traffic;
    const name = `${APP}/attestedKeys/${attested.device.keyId.toString("base64url")}`;
    const { text } = await send(url, `/v1/${name}`, { token: viewer });
    expect(Number(JSON.parse(text).counter ?? 0)).toBeGreaterThanOrEqual(traffic.counter);
    for (const { request, acknowledged } of exchanges.splice(0)) {
      const { status } = await devices.post(url, request);
      // A request without a response may or may not have been handled.
      expect(status).toBeOneOf(acknowledged ? [403] : [200, 403]);
      expect((await devices.post(url, request)).status).toBe(403);
    }
    for (const { request, acknowledged } of consumed.splice(0)) {
      const first = await consume(url, viewer, request);
      if (acknowledged) expect(first).toEqual({ alreadyConsumed: true });
      expect(await consume(url, viewer, request)).toEqual({ alreadyConsumed: true });
    }
  }
}

async function consume(url: string, viewer: string, appCheckToken: string): Promise<unknown> {
  const { status, text } = await send(url, `/v1beta/projects/${PROJECT.number}:verifyAppCheckToken`, {
    method: "POST",
    token: viewer,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ appCheckToken }),
  });
  expect([status, text]).toEqual([200, text]);
  return JSON.parse(text);
}
