import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { stringify } from "yaml";
import { packagePath } from "./package-path.js";

/** The command as users run it. */
export const WAYBILL = packagePath("bin/waybill");

/** The outcome of a command. */
export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `waybill` to its end. */
export async function waybill(args: readonly string[], input?: string | Buffer): Promise<CommandResult> {
  // The environment of the tests may contain a token.
  const env = { ...process.env, WAYBILL_TOKEN: undefined };
  const child = spawn(process.execPath, [WAYBILL, ...args], { stdio: "pipe", env });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  child.stdin.end(input);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}

/** A new directory, with a function to remove it. */
export async function temporaryDirectory(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), "waybill-test-"));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** The project of most tests; principals are named by their role in it. */
export const PROJECT = { id: "test-project", number: "123456789012" } as const;
export const OTHER_PROJECT = { id: "other-project", number: "210987654321" } as const;
export const IOS_APP = "1:123456789012:ios:0a1b2c3d4e5f";
export const ANDROID_APP = "1:123456789012:android:0a1b2c3d4e5f";
export const EDITOR = "editor@example.com";
export const VIEWER = "viewer@example.com";
export const STRANGER = "stranger@example.com";

/** The configuration of most tests. */
export const BASE_CONFIG = {
  projects: [
    { ...PROJECT, apps: [{ id: IOS_APP }, { id: "app-7d", appAttestConfig: { tokenTtl: "604800s" } }] },
    { ...OTHER_PROJECT },
  ],
  access: [
    { principal: EDITOR, projects: [PROJECT.id], role: "editor" },
    { principal: VIEWER, projects: [PROJECT.number], role: "viewer" },
  ],
};

/** A running `waybill serve`. */
export interface Server {
  readonly integrityUrl: string;
  readonly messagingDataUrl: string;
  readonly adminUrl: string;
  readonly dataDir: string;
  readonly process: ChildProcess;
  /** Output to stdout so far. */
  readonly output: () => string;
  /** Output to stderr so far. */
  readonly log: () => string;
  /** An access token of its local issuer. */
  token(principal: string, ...scopes: ("platform" | "app-platform")[]): Promise<string>;
  /** Sends a signal and waits for the end of the process; returns its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts `waybill serve` on free ports in `directory`, which keeps its data across restarts. */
export async function startServer(
  directory: string,
  config: object = BASE_CONFIG,
  args: readonly string[] = [],
  nodeOptions: readonly string[] = [],
): Promise<Server> {
  const file = join(directory, "waybill.yaml");
  const dataDir = join(directory, "data");
  await writeFile(file, stringify(config));
  const ports = ["--integrity-port", "0", "--messaging-data-port", "0", "--admin-port", "0"];
  const child = spawn(
    process.execPath,
    [...nodeOptions, WAYBILL, "serve", "--config", file, "--data-dir", dataDir, ...ports, ...args],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let log = "";
  child.stderr.on("data", (chunk: Buffer) => {
    log += chunk.toString();
  });
  let output = "";
  const lines = createInterface(child.stdout);
  lines.on("line", (line) => {
    output += `${line}\n`;
  });
  const exited = once(child, "exit") as Promise<[number | null]>;
  const first = await Promise.race([once(lines, "line") as Promise<[string]>, exited]);
  if (typeof first[0] !== "string") throw new Error(`waybill serve ended with ${first[0]}:\n${log}`);
  const ready = JSON.parse(first[0]) as Record<string, string>;
  return {
    integrityUrl: ready.integrityUrl ?? "",
    messagingDataUrl: ready.messagingDataUrl ?? "",
    adminUrl: ready.adminUrl ?? "",
    dataDir,
    process: child,
    output: () => output,
    log: () => log,
    token: async (principal, ...scopes) => {
      const scopeArgs = (scopes.length > 0 ? scopes : ["platform"]).flatMap((scope) => ["--scope", scope]);
      const result = await waybill(["token", "--data-dir", dataDir, "--principal", principal, ...scopeArgs]);
      return result.stdout.trim();
    },
    stop: async (signal = "SIGTERM") => {
      child.kill(signal);
      return child.exitCode ?? (await exited)[0];
    },
  };
}

/**
 * Repeats a call until `accept` returns true, for up to `within` milliseconds. @returns the accepted answer,
 * or the last one.
 */
export async function poll<T>(
  ask: () => Promise<T>,
  accept: (answer: T) => boolean,
  within = 10_000,
): Promise<T> {
  const deadline = Date.now() + within;
  for (;;) {
    const answer = await ask();
    if (accept(answer) || Date.now() > deadline) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
