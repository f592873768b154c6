import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { need } from "../needs.js";
import { poll } from "../poll.js";
import { temporaryDirectory } from "../temporary-directory.js";
import { textOf } from "../text-of.js";
import { freePort } from "./free-port.js";
import { sharedPackages } from "./shared-servers.js";

need("clickhouse-server", "haproxy", "postgresql", "zookeeper");

/** The running cluster of `examples/cluster`, on free ports. */
export interface ExampleCluster {
  /** Directory that contains `cluster-data`. */
  readonly directory: string;
  /** File of the installed command. */
  readonly executable: string;
  /** Replaces the example's ports by this cluster's. */
  withPorts(text: string): string;
  reports(): string;
  /** Sends a signal to a program, and waits for the report that it has exited. */
  end(program: string, signal: NodeJS.Signals): Promise<void>;
  /** Starts a program again, as reported. */
  startAgain(program: string): void;
  stop(): Promise<void>;
}

const FILES = ["up", "clickhouse.xml", "haproxy.cfg", "waybill.yaml", "zoo.cfg"];

/**
 * Starts a copy of the installed package's example. One ClickHouse server crashes the first time it starts. If the environment variable
 * `WAYBILL_PREVIOUS` names an earlier build's command, the cluster starts with that build, and programs that start
 * again have this build.
 */
export async function startExample(): Promise<ExampleCluster> {
  const installed = join((await sharedPackages()).serverProject, "node_modules", "waybill");
  const executable = join(installed, "bin", "waybill");
  const { path: directory, remove } = await temporaryDirectory();
  // PostgreSQL does not run as root. Its user must be able to enter this directory.
  chmodSync(directory, 0o711);
  const copy = join(directory, "example");
  cpSync(join(installed, "examples", "cluster"), copy, { recursive: true });
  const texts = FILES.map((file) => readFileSync(join(copy, file), "utf8"));
  const ports = new Map<string, string>();
  for (const [port] of texts.join("\n").matchAll(PORT)) {
    if (!ports.has(port)) ports.set(port, String(await freePort()));
  }
  const withPorts = (text: string): string => text.replaceAll(PORT, (port) => ports.get(port) ?? port);
  FILES.forEach((file, index) => {
    writeFileSync(join(copy, file), withPorts(texts[index] ?? ""));
  });
  const programs = join(directory, "programs");
  mkdirSync(programs);
  writeFileSync(
    join(programs, "clickhouse-server"),
    `#!/bin/sh
if [ "$SERVER" = clickhouse-1b ] && mkdir ${join(directory, "crashed")}; then kill -SEGV $$; fi
PATH=\${PATH#*:}
exec clickhouse-server "$@"
`,
    { mode: 0o755 },
  );
  // The example's programs exit with it, however this process exits.
  const up = (command: string, ...args: string[]) => {
    const env = { ...process.env, WAYBILL: command, PATH: `${programs}:${process.env.PATH}` };
    return spawn(join(copy, "up"), args, { cwd: directory, env });
  };
  const child = up(process.env.WAYBILL_PREVIOUS ?? executable, "cluster-data");
  const exited = once(child, "exit");
  const reports = textOf(child.stderr);
  const startedAgain: ChildProcess[] = [];
  const stop = async (): Promise<void> => {
    for (const program of startedAgain) program.kill("SIGKILL");
    child.kill();
    if (child.exitCode === null) await exited;
    await remove();
  };
  /** Waits for the report about a program's exit: how it exited, and how to restart it. */
  const reportOn = (program: string) =>
    new RegExp(`^${program} has ended with status \\d+; .*\n {2}\\S+/up (\\S+) (${program})$`, "gm");
  const [ready] = (await Promise.race([once(createInterface(child.stdout), "line"), exited])) as [unknown];
  if (typeof ready !== "string") {
    await stop();
    throw new Error(`the example of a cluster did not start:\n${reports()}`);
  }
  return {
    directory,
    executable,
    withPorts,
    reports,
    end: async (program, signal) => {
      const ends = [...reports().matchAll(reportOn(program))].length;
      process.kill(Number(readFileSync(join(directory, "cluster-data", `${program}.pid`), "utf8")), signal);
      await poll(() => [...reports().matchAll(reportOn(program))].length > ends);
    },
    startAgain: (program) => {
      const [, ...args] = [...reports().matchAll(reportOn(program))].at(-1) ?? [];
      startedAgain.push(up(executable, ...args));
    },
    stop,
  };
}

const PORT = /\b(?:808[0-2]|12181|15432|1812[3-6]|1900\d|1901\d|[12]808[0-2]|[12]9090)\b/g;
