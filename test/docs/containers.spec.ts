import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect } from "vitest";
import { parse } from "yaml";
import { loadConfig } from "../../src/server/config/config.js";
import { packagePath } from "../support/package-path.js";
import { it } from "../support/servers/fixtures.js";

const read = (file: string): string => readFileSync(packagePath(file), "utf8");

describe("Dockerfile", () => {
  const [, image = ""] = read("Dockerfile")
    .split(/^FROM .*$/m)
    .slice(1);
  const copies = [...image.matchAll(/^COPY --from=build \/build\/(\S+) \.\/(\S*)$/gm)].map(
    ([, from = "", to = ""]) => ({ from, to: to === "" ? from : to }),
  );
  const arrayOf = (instruction: string): string[] =>
    JSON.parse(new RegExp(`^${instruction} (.*)$`, "m").exec(image)?.[1] ?? "[]") as string[];

  it("copies all files that a server needs", async ({ directory }) => {
    for (const { from, to } of copies) {
      if (from === "node_modules") copyRuntimePackages(join(directory, to));
      else cpSync(packagePath(from), join(directory, to), { recursive: true });
    }
    const [program = "", ...rest] = [...arrayOf("ENTRYPOINT"), ...arrayOf("CMD")];
    const args = rest
      .map((arg) => arg.replace(/^\/data$/, join(directory, "data")))
      .map((arg) => arg.replace(/^\/etc\/waybill\/.*$/, packagePath("test/fixtures/empty.yaml")));
    const ports = [
      "--integrity-port",
      "0",
      "--messaging-data-port",
      "0",
      "--registry-port",
      "0",
      "--admin-port",
      "0",
    ];
    const child = spawn(join(directory, program.replace(/^\/waybill\//, "")), [...args, ...ports], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    const exited = once(child, "exit");
    const first = await Promise.race([once(createInterface(child.stdout), "line"), exited]);
    const page = await fetch(`${JSON.parse(String(first[0])).messagingDataUrl}/console/`);
    expect([page.status, (await page.text()).includes("<html")]).toEqual([200, true]);
    child.kill();
    expect(await exited).toEqual([0, null]);
  });
});

/** Copies all packages except development dependencies. */
function copyRuntimePackages(target: string): void {
  const { packages } = JSON.parse(read("package-lock.json")) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
  };
  for (const [path, { dev, devOptional }] of Object.entries(packages)) {
    if (path === "" || dev || devOptional || !existsSync(packagePath(path))) continue;
    const to = join(dirname(target), path);
    mkdirSync(dirname(to), { recursive: true });
    cpSync(packagePath(path), to, { recursive: true, dereference: true });
  }
}

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
