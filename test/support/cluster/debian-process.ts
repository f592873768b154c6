import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { poll } from "../poll.js";

/** A server that runs as a separate program. */
export interface DebianProcess {
  readonly pid: number;
  /** Waits until it accepts connections. @throws Error with its output if it ends before. */
  listens(port: number): Promise<void>;
  /** Ends it with SIGKILL, because a clean shutdown needs seconds. */
  kill(): Promise<void>;
}

/** Last part of the output that an error shows. */
const SHOWN_OUTPUT = 4_000;

/** Starts a program that ends with this process, however that ends. */
export function spawnProcess(program: string, args: readonly string[]): DebianProcess {
  const child = spawn("setpriv", ["--pdeathsig", "KILL", program, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-SHOWN_OUTPUT);
    });
  }
  const exited = once(child, "exit");
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    pid: child.pid ?? 0,
    listens: async (port) => {
      await poll(
        () => accepts(port),
        (accepted) => accepted || hasEnded(),
      );
      if (hasEnded()) throw new Error(`${program} ended:\n${output}`);
    },
    kill: async () => {
      if (hasEnded()) return;
      child.kill("SIGKILL");
      await exited;
    },
  };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const outcome = await Promise.race([
    once(socket, "connect").then(() => true),
    once(socket, "error").then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return outcome;
}
