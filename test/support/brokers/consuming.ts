import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { poll } from "../poll.js";
import { PROJECT } from "../servers/project.js";
import { WAYBILL } from "../servers/waybill-command.js";
import { textOf } from "../text-of.js";

export interface Consuming {
  readonly process: ChildProcess;
  /** Output to stderr so far. */
  log(): string;
  /** Waits for a text in the log. */
  logged(text: string): Promise<void>;
  /** Sends a signal and waits until the process ends; returns its exit code. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
}

export function startConsume(
  flags: readonly string[],
  url: string,
  token: string,
  environment: Readonly<Record<string, string>> = {},
): Consuming {
  const [broker = "", ...more] = flags;
  const args = [WAYBILL, "consume", broker, "--server", url, "--project", PROJECT.id, ...more];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, ...environment, WAYBILL_TOKEN: token },
  });
  const log = textOf(child.stderr);
  const closed = once(child, "close") as Promise<[number | null]>;
  return {
    process: child,
    log,
    logged: async (text) => {
      await poll(log, (written) => written.includes(text));
    },
    stop: async (signal) => {
      child.kill(signal);
      return (await closed)[0];
    },
  };
}
