import { setTimeout as sleep } from "node:timers/promises";
import { status as codes, type ServiceError } from "@grpc/grpc-js";
import { GrpcService } from "../../test/support/http/grpc.js";
import type { World } from "./world.js";

const HEALTH = "grpc.health.v1.Health";
/** Milliseconds before a watch that ended is reopened. */
const PAUSE = 500;

/** Watches the server's health with a stream, which is reopened whenever it ends. */
export async function watchHealth(
  { target, tally, violations, disturbance }: World,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const start = performance.now();
    const client = new GrpcService(target.messagingDataUrl, HEALTH);
    const failure = await watchOnce(client, signal, (status) => {
      tally.add("health watch", status);
      if (status !== "SERVING" && !disturbance.since(start)) violations.add(`health watch: ${status}`);
    });
    client.close();
    if (signal.aborted) return;
    const code = failure === undefined ? "ENDED" : (codes[failure.code] ?? "");
    tally.add("health watch", code);
    if (failure !== undefined && !disturbance.since(start))
      violations.add(`health watch: ${failure.message}`);
    await sleep(PAUSE, undefined, { signal }).catch(() => {});
  }
}

/** @returns the stream's error; undefined if the server ended it. */
function watchOnce(
  client: GrpcService,
  signal: AbortSignal,
  onStatus: (status: string) => void,
): Promise<ServiceError | undefined> {
  const stream = client.download("Watch", { service: "" });
  const cancel = (): void => stream.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  stream.on("data", ({ status }) => onStatus(String(status)));
  return new Promise<ServiceError | undefined>((resolve) => {
    stream.once("end", () => resolve(undefined));
    stream.on("error", resolve);
  }).finally(() => signal.removeEventListener("abort", cancel));
}
