import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { addressesOf, issueToken, spawnServe } from "../../test/support/servers/serve-process.js";
import type { Target } from "../callers/caller.js";
import type { Instruction, MemoryUsage } from "../in-server/instructions.js";
import type { Violations } from "../report/violations.js";
import { CONFIG, PRINCIPAL } from "./config.js";
import type { LogWatch } from "./log-watch.js";
import { openFilesOf, type Usage } from "./usage.js";

const INSTRUMENT = fileURLToPath(new URL("../in-server/instrument.js", import.meta.url));

/** Ports below the range for outgoing connections, which no other process gets in the meantime. */
const FIRST_PORT = 12_000;
const PORTS = 18_000;
/** Options for ports that stay the same after a restart, as in production. */
const PORT_OPTIONS = ["--integrity-port", "--messaging-data-port", "--admin-port", "--registry-port"];

export interface SoakedServerOptions {
  /** Directory for the configuration. */
  readonly directory: string;
  readonly dataDir: string;
  readonly log: LogWatch;
  readonly violations: Violations;
  /**
   * Size of the database log that triggers a checkpoint, such as `64KB`; the engine's default if left out.
   */
  readonly checkpointThreshold?: string;
}

/** A `waybill serve` that is killed and restarted at the same addresses. */
export class SoakedServer {
  readonly target: Target;
  readonly adminUrl: string;
  readonly dataDir: string;
  readonly #options: SoakedServerOptions;
  readonly #args: readonly string[];
  #child: ChildProcess | undefined;
  /** True after a request to end the process. */
  #ending = false;

  private constructor(options: SoakedServerOptions, ports: readonly number[], token: string) {
    const [integrityUrl = "", messagingDataUrl = "", adminUrl = ""] = ports.map(
      (port) => `http://127.0.0.1:${port}`,
    );
    this.#options = options;
    this.target = { integrityUrl, messagingDataUrl, token };
    this.adminUrl = adminUrl;
    this.dataDir = options.dataDir;
    this.#args = [
      ...dataFlags(options),
      ...PORT_OPTIONS.flatMap((name, index) => [name, String(ports[index])]),
    ];
    process.once("exit", () => this.#child?.kill("SIGKILL"));
  }

  /** Writes the configuration, creates a token and picks ports, without starting the server. */
  static async prepare(options: SoakedServerOptions): Promise<SoakedServer> {
    // JSON is valid YAML.
    writeFileSync(join(options.directory, "waybill.yaml"), JSON.stringify(CONFIG));
    const token = await issueToken(["--principal", PRINCIPAL, "--ttl", "30d", ...dataFlags(options)]);
    return new SoakedServer(options, await freePorts(), token);
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Starts the process. @returns true when it is ready, false if asked to end before that. */
  async start(): Promise<boolean> {
    const { log, violations, checkpointThreshold } = this.#options;
    log.begin();
    this.#ending = false;
    const child = spawnServe(this.#args, ["--expose-gc", "--import", INSTRUMENT], {
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      env: {
        ...process.env,
        ...(checkpointThreshold && { SOAK_CHECKPOINT_THRESHOLD: checkpointThreshold }),
      },
    });
    this.#child = child;
    child.stderr?.setEncoding("utf8").on("data", (text: string) => log.read(text));
    child.once("exit", (code, signal) => {
      if (!this.#ending)
        violations.add(`the server ended unexpectedly (${code ?? signal}):\n${log.lastLines}`);
    });
    const ready = (await addressesOf(child)) !== undefined;
    if (!ready && !this.#ending) throw new Error(`the server does not start:\n${log.lastLines}`);
    return ready;
  }

  /** Ends the process and waits until it has exited. @returns its exit code. */
  async end(signal: "SIGKILL" | "SIGTERM"): Promise<number | null> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null)
      return child?.exitCode ?? null;
    const exited = once(child, "exit") as Promise<[number | null]>;
    this.#ending = true;
    child.kill(signal);
    return (await exited)[0];
  }

  signal(signal: "SIGSTOP" | "SIGCONT"): void {
    this.#child?.kill(signal);
  }

  /** @param offset milliseconds that the server's clock is ahead from now on. */
  shiftClock(offset: number): void {
    this.#instruct({ clockOffset: offset });
  }

  /** Measures the process after garbage collection. */
  async usage(): Promise<Usage> {
    if (this.#child === undefined) throw new Error("the server does not run");
    const response = once(this.#child, "message") as Promise<[MemoryUsage]>;
    this.#instruct({ measure: true });
    return { ...(await response)[0], ...openFilesOf(this.pid) };
  }

  #instruct(instruction: Instruction): void {
    if (this.#child?.connected) this.#child.send(instruction);
  }
}

function dataFlags({ directory, dataDir }: SoakedServerOptions): string[] {
  return ["--config", join(directory, "waybill.yaml"), "--data-dir", dataDir];
}

async function freePorts(): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < PORT_OPTIONS.length) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORTS);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
