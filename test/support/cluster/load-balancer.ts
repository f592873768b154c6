import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { need } from "../needs.js";
import type { Server } from "../servers/server.js";
import { spawnProcess } from "./debian-process.js";
import { freePort } from "./free-port.js";

need("haproxy");

/** A process's ports behind a load balancer. */
export interface Ports {
  readonly integrity: number;
  readonly messagingData: number;
  readonly registry: number;
  readonly admin: number;
}

export interface LoadBalancer extends Pick<Server, "integrityUrl" | "messagingDataUrl"> {
  readonly registryUrl: string;
  /** Kills it. */
  stop(): Promise<void>;
}

/**
 * Starts Debian's HAProxy in front of processes, which may start later. It distributes requests among the processes
 * that report that they are ready. If a process stops reporting that, its ongoing requests are aborted. HTTP/1.1 and
 * gRPC share a port.
 */
export async function startLoadBalancer(
  directory: string,
  processes: readonly Ports[],
): Promise<LoadBalancer> {
  await mkdir(directory, { recursive: true });
  const ports = {
    integrity: await freePort(),
    messagingData: await freePort(),
    registry: await freePort(),
  };
  const file = join(directory, "haproxy.cfg");
  const services = (["integrity", "messagingData", "registry"] as const).map((service) =>
    serviceOf(service, ports[service], processes),
  );
  await writeFile(file, [DEFAULTS, readinessOf(processes), ...services, ""].join("\n"));
  const haproxy = spawnProcess("haproxy", ["-db", "-f", file]);
  await haproxy.listens(ports.messagingData);
  return {
    integrityUrl: `http://127.0.0.1:${ports.integrity}`,
    messagingDataUrl: `http://127.0.0.1:${ports.messagingData}`,
    registryUrl: `http://127.0.0.1:${ports.registry}`,
    stop: () => haproxy.kill(),
  };
}

const DEFAULTS = `defaults
  mode http
  balance roundrobin
  option redispatch
  retries 2
  timeout connect 2s
  timeout client 60s
  timeout server 60s`;

/** Checks once which processes are ready, for all services. */
const readinessOf = (processes: readonly Ports[]): string =>
  [
    "backend ready",
    "  option httpchk GET /readyz",
    "  default-server check inter 500ms fall 1 rise 1",
    ...processes.map(({ admin }, index) => `  server process${index} 127.0.0.1:${admin}`),
  ].join("\n");

const serviceOf = (service: Exclude<keyof Ports, "admin">, port: number, processes: readonly Ports[]) => {
  const servers = (suffix: string) =>
    processes.map(
      (ports, index) =>
        `  server process${index} 127.0.0.1:${ports[service]} track ready/process${index} on-marked-down shutdown-sessions${suffix}`,
    );
  return [
    `frontend ${service}`,
    `  bind 127.0.0.1:${port}`,
    `  use_backend ${service}-grpc if { req.hdr(content-type) -m beg application/grpc }`,
    `  default_backend ${service}-http`,
    `backend ${service}-http`,
    ...servers(""),
    `backend ${service}-grpc`,
    ...servers(" proto h2"),
  ].join("\n");
};
