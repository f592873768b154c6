import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { parse } from "yaml";
import { loadConfig } from "../../src/server/config/config.js";
import { packagePath } from "../support/package-path.js";
import { it } from "../support/servers/process-fixtures.js";

const read = (file: string): string => readFileSync(packagePath(file), "utf8");

describe("the Compose file of a cluster", () => {
  interface Service {
    readonly volumes?: readonly string[];
    readonly build?: string;
    readonly depends_on?: readonly string[];
  }
  const folder = "examples/cluster";
  const { services } = parse(read(`${folder}/compose.yaml`), { merge: true }) as {
    services: Record<string, Service>;
  };

  it("refers to files and services that exist", () => {
    const named = Object.values(services).flatMap(({ volumes = [], build }) => [
      ...volumes.map((volume) => volume.split(":")[0] ?? ""),
      ...(build === undefined ? [] : [join(build, "Dockerfile")]),
    ]);
    expect(named.filter((file) => !existsSync(packagePath(join(folder, file))))).toEqual([]);
    const needed = Object.values(services).flatMap(({ depends_on = [] }) => depends_on);
    expect(needed.filter((name) => services[name] === undefined)).toEqual([]);
  });

  it("configures servers and addresses that exist", async () => {
    const { store, control } = await loadConfig(packagePath(`${folder}/containers/waybill.yaml`));
    const texts = [
      JSON.stringify([store, control]),
      read(`${folder}/containers/haproxy.cfg`),
      read(`${folder}/containers/clickhouse.xml`),
    ];
    const hosts = [
      ...texts.join("\n").matchAll(/(?:\/\/(?:\w+@)?|server \S+ |<host>)([a-z][\w-]*)(?=[:<])/g),
    ].map(([, host = ""]) => host);
    expect(hosts.length).toBeGreaterThan(15);
    expect([...new Set(hosts)].filter((host) => services[host] === undefined)).toEqual([]);
  });
});
