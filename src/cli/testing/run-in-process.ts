import { AsyncLocalStorage } from "node:async_hooks";
import { PassThrough, type Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { runCommand } from "../run-command.js";

/** The outcome of a command. */
export interface CommandOutcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The standard streams of a command. */
interface Streams {
  readonly stdin: Readable;
  readonly stdout: PassThrough;
  readonly stderr: PassThrough;
}

const streams = new AsyncLocalStorage<Streams>();

// The environment of the tests may contain a token.
delete process.env.WAYBILL_TOKEN;

/**
 * Runs a command line of `waybill` in this process, without the cost of another one. Standard streams are those of the
 * command, and no terminal; commands that run at the same time have their own.
 *
 * @throws errors that would end the process with a stack trace.
 */
export async function runInProcess(
  args: readonly string[],
  input: string | Buffer = "",
): Promise<CommandOutcome> {
  redirectStandardStreams();
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end(input);
  const outputs = Promise.all([text(stdout), text(stderr)]);
  const umask = process.umask();
  const exitListeners = process.listeners("exit");
  let code: number;
  try {
    code = await streams.run({ stdin, stdout, stderr }, () => runCommand(args));
  } finally {
    stdout.end();
    stderr.end();
    // The server has a process of its own otherwise.
    process.umask(umask);
    for (const listener of process.listeners("exit"))
      if (!exitListeners.includes(listener)) process.off("exit", listener);
  }
  const [out, err] = await outputs;
  return { code, stdout: out, stderr: err };
}

let isRedirected = false;

/** Makes the standard streams of this process those of the command that uses them, if one does. */
function redirectStandardStreams(): void {
  if (isRedirected) return;
  isRedirected = true;
  for (const name of ["stdin", "stdout", "stderr"] as const) {
    const own = Object.getOwnPropertyDescriptor(process, name);
    const get = () => streams.getStore()?.[name] ?? own?.get?.call(process) ?? own?.value;
    Object.defineProperty(process, name, { configurable: true, get });
  }
}
