import { AsyncLocalStorage } from "node:async_hooks";
import { PassThrough, type Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { runCommand } from "../run-command.js";

export interface CommandOutcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Streams {
  readonly stdin: Readable;
  readonly stdout: PassThrough;
  readonly stderr: PassThrough;
}

const streams = new AsyncLocalStorage<Streams>();

// The test environment may contain a token.
delete process.env.WAYBILL_TOKEN;

/**
 * Runs a `waybill` command line in this process, which is cheaper than starting a process. Each command has its own
 * standard streams, even if several commands run at the same time. The streams are not terminals.
 *
 * @throws errors that would end a real process with a stack trace.
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
    // Restores the umask, because the server is usually a separate process.
    process.umask(umask);
    for (const listener of process.listeners("exit"))
      if (!exitListeners.includes(listener)) process.off("exit", listener);
  }
  const [out, err] = await outputs;
  return { code, stdout: out, stderr: err };
}

let isRedirected = false;

/** Connects this process's standard streams to the command that is using them. */
function redirectStandardStreams(): void {
  if (isRedirected) return;
  isRedirected = true;
  for (const name of ["stdin", "stdout", "stderr"] as const) {
    const own = Object.getOwnPropertyDescriptor(process, name);
    const get = () => streams.getStore()?.[name] ?? own?.get?.call(process) ?? own?.value;
    Object.defineProperty(process, name, { configurable: true, get });
  }
}
