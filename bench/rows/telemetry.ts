import { join } from "node:path";
import { type Comparison, compare, throughputLine, timeLine } from "../support/measurement.js";
import { Process } from "../support/process.js";
import { processorTimeOf } from "../support/processor-time.js";
import type { BytesResponse } from "../support/reads/fetch-bytes.js";
import { requestsPerSecond } from "../support/reads/load.js";
import type { Row, Scale } from "../support/row.js";
import { PROJECT, REGISTERED_APP, startWaybill, type WaybillServer } from "../support/waybill-server.js";

/** Environment of a server that traces a share of its calls. */
const sampling = (collector: string, share: number): NodeJS.ProcessEnv => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector,
  OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
  OTEL_TRACES_SAMPLER_ARG: String(share),
});

/** `get` with traces of 10 % of all calls and metrics over OTLP, compared with a server without telemetry. */
export const telemetryRow: Row = {
  name: "telemetry",
  measure: async (scale, directory) => {
    const collector = new Process<BytesResponse, string>("bare-server");
    const url = await collector.ask({ headers: {}, body: Buffer.alloc(0) });
    const servers: WaybillServer[] = [];
    try {
      for (const [name, env] of [
        ["on", sampling(url.replace(/\/$/, ""), 0.1)],
        ["off", {}],
      ] as const)
        servers.push(await startWaybill(join(directory, name), undefined, {}, env));
      const [on, off] = servers as [WaybillServer, WaybillServer];
      const { rates, processorMs } = await compareGets(on, off, scale);
      return [
        throughputLine("get, 10 % of calls traced", rates, 0.9),
        timeLine("processor time of that", processorMs, 1.1),
      ];
    } finally {
      for (const server of servers) await server.stop();
      await collector.stop();
    }
  },
};

async function compareGets(
  on: WaybillServer,
  off: WaybillServer,
  scale: Scale,
): Promise<{ readonly rates: Comparison; readonly processorMs: Comparison }> {
  const processorMs = { on: [] as number[], off: [] as number[] };
  const measure = async (server: WaybillServer, measured: number[]): Promise<number> => {
    const url = `${server.integrityUrl}/v1/projects/${PROJECT}/apps/${REGISTERED_APP}/appAttestConfig`;
    const before = processorTimeOf(server.pid);
    const rate = await requestsPerSecond(url, server.token, scale.seconds);
    measured.push((processorTimeOf(server.pid) - before) / (rate * scale.seconds));
    return rate;
  };
  for (const server of [on, off]) await measure(server, []);
  const rates = await compare(
    scale.readRuns,
    () => measure(on, processorMs.on),
    () => measure(off, processorMs.off),
  );
  const ofPair = (figures: readonly number[]) => async (pair: number) => figures[pair] ?? Number.NaN;
  return {
    rates,
    processorMs: await compare(scale.readRuns, ofPair(processorMs.on), ofPair(processorMs.off)),
  };
}
