import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { appIds } from "#dist/simulator/simulate-traffic.js";
import { attestationConfig } from "../../../test/support/data/devices.js";
import type { Latencies, LatencyQuestion } from "../../processes/get-client.js";
import type { TrustQuestion } from "../../support/attest/device-attack.js";
import { makeEntries } from "../../support/data/delivery-data.js";
import { MAX_PAGE_SIZE } from "../../support/data/large-page.js";
import { duration, figureLine, type Measurement } from "../../support/measurement.js";
import { type OpaqueTokens, startOpaqueTokens } from "../../support/opaque-tokens.js";
import { Process } from "../../support/process.js";
import { progress } from "../../support/progress.js";
import type { AttackReport, Check, Target } from "../../support/reads/attack.js";
import { forgetPeak, peakOf, residentOf } from "../../support/resident-memory.js";
import type { Row } from "../../support/row.js";
import {
  BYSTANDER,
  PROJECT,
  REGISTERED_APP,
  startWaybill,
  type WaybillServer,
} from "../../support/waybill-server.js";
import type { Bystander } from "./bystander.js";

const MAX_RATIO = 10;
const MAX_P99_MS = 250;
const MAX_GROWTH_MIB = 300;
const MAX_STOP_MS = 2_000;
const MAX_INTROSPECTIONS_PER_SECOND = 120;

export interface Attack {
  /** Identifies the attack in the table and on the command line. */
  readonly number: string;
  readonly what: string;
  readonly client: string;
  /** True if the attack reads large pages, which are made first. */
  readonly readsPages?: boolean;
  /** True if the server trusts an issuer of opaque tokens. */
  readonly introspects?: boolean;
  /** Set if the attacker has devices of the attested app. The server then runs with or without call limits. */
  readonly attests?: "with limits" | "without limits";
  /** An additional action of another principal during the attack. */
  readonly meanwhile?: (bystander: Bystander) => Promise<Check>;
  /** File to which the server logs. By default, a regular file. */
  readonly log?: string;
  /** True to measure how fast the server stops while the attacker is still connected. */
  readonly stops?: boolean;
}

/**
 * Latency of another principal's `get` during an attack, compared with the latency before it, and the memory that the
 * attack uses.
 */
export function attackRow(attack: Attack): Row {
  const { number, what, client, readsPages, introspects, attests, meanwhile, log, stops } = attack;
  const name = `hostile:${number}`;
  return {
    name,
    measure: async ({ attackSeconds: seconds }, directory) => {
      const [app = ""] = appIds(1);
      if (readsPages) await makeEntries(directory, [app], MAX_PAGE_SIZE);
      const issuer = introspects ? await startOpaqueTokens() : undefined;
      const observer = new Process<LatencyQuestion, Latencies>("get-client");
      const attacker = new Process<Target | TrustQuestion, AttackReport>(`hostile/${client}`);
      const attesting = attests && (await attestingConfig(attacker, attests, directory));
      const server = await startWaybill(directory, log, { ...issuer?.config, ...attesting });
      try {
        const bystander = await bystanderOf(server);
        const url = `${server.integrityUrl}/v1/projects/${bystander.project}/apps/${REGISTERED_APP}/appAttestConfig`;
        const observe = (for_: number): Promise<Latencies> =>
          observer.ask({ urls: [url], token: bystander.token, seconds: for_ });
        await observe(1);
        const before = await observe(seconds / 2);
        const resident = residentOf(server.pid);
        forgetPeak(server.pid);
        const { integrityUrl, messagingDataUrl, adminUrl, token } = server;
        const [during, report, check] = await Promise.all([
          observe(seconds),
          attacker.ask({ integrityUrl, messagingDataUrl, adminUrl, token, project: PROJECT, app, seconds }),
          // Starts after the attack affects the server.
          meanwhile && sleep((1000 * seconds) / 2).then(() => meanwhile(bystander)),
        ]);
        progress(`  ${report.did}`);
        const grown = server.isRunning() ? peakOf(server.pid) - resident : Number.POSITIVE_INFINITY;
        const checks = [...(report.checks ?? []), ...(check ? [check] : [])];
        if (issuer !== undefined) checks.push(issuerCheck(issuer, seconds));
        if (stops) checks.push(stopCheck(await timeOf(server.stop())));
        return [
          latencyLine(`${number}. ${what}: get`, before, during),
          memoryLine(`${number}. memory`, grown),
          ...checks.map((check) =>
            figureLine(`${number}. ${check.what}`, check.figure, check.target, check.isMet),
          ),
        ];
      } finally {
        await server.stop();
        await attacker.stop();
        await observer.stop();
        issuer?.close();
      }
    },
  };
}

/** Lets the attacker write its devices' root certificate. Returns a configuration that trusts the certificate. */
async function attestingConfig(
  attacker: Process<TrustQuestion, AttackReport>,
  attests: NonNullable<Attack["attests"]>,
  directory: string,
): Promise<object> {
  const rootFile = join(directory, "root.pem");
  await attacker.ask({ rootFile });
  const attestation = attests === "with limits" ? { rootFile } : attestationConfig(rootFile);
  return { integrity: { attestation } };
}

async function bystanderOf({ integrityUrl, messagingDataUrl, tokenOf }: WaybillServer): Promise<Bystander> {
  const { principal, project } = BYSTANDER;
  return { integrityUrl, messagingDataUrl, project, token: await tokenOf(principal) };
}

async function timeOf(work: Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work;
  return performance.now() - start;
}

function issuerCheck(issuer: OpaqueTokens, seconds: number): Check {
  const perSecond = issuer.invalid() / seconds;
  return {
    what: "calls to the issuer about them per second",
    figure: perSecond.toFixed(0),
    target: `≤ ${MAX_INTROSPECTIONS_PER_SECOND}`,
    isMet: perSecond <= MAX_INTROSPECTIONS_PER_SECOND,
  };
}

function stopCheck(took: number): Check {
  return {
    what: "stopping by SIGTERM",
    figure: duration(took),
    target: `≤ ${duration(MAX_STOP_MS)}`,
    isMet: took <= MAX_STOP_MS,
  };
}

function latencyLine(what: string, before: Latencies, during: Latencies): Measurement {
  const ratio = during.p99 / before.p99;
  const figures = ({ p99, max }: Latencies): string => `p99 ${duration(p99)}, max ${duration(max)}`;
  return {
    what,
    waybill: figures(during),
    reference: figures(before),
    ratio: ratio.toFixed(1),
    target: `≤ ${MAX_RATIO}, ≤ ${MAX_P99_MS} ms`,
    isMet: ratio <= MAX_RATIO && during.p99 <= MAX_P99_MS,
  };
}

function memoryLine(what: string, mib: number): Measurement {
  const waybill = mib === Number.POSITIVE_INFINITY ? "the server has ended" : `+${Math.round(mib)} MiB`;
  return figureLine(what, waybill, `≤ ${MAX_GROWTH_MIB} MiB`, mib <= MAX_GROWTH_MIB);
}
