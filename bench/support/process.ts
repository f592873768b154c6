import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

/** A module of `bench/processes` in its own process. It responds to one request at a time. */
export class Process<Question extends object, HttpResponse> {
  readonly #child: ChildProcess;
  readonly #exited: Promise<never>;

  /** @param name file name of the module, without extension. */
  constructor(name: string, ...args: readonly string[]) {
    this.#child = fork(new URL(`../processes/${name}.js`, import.meta.url), args, {
      serialization: "advanced",
    });
    this.#exited = once(this.#child, "exit").then(() => {
      throw new Error(`the process ${name} has ended`);
    });
    this.#exited.catch(() => {
      // `ask` throws the error.
    });
  }

  async ask(question: Question): Promise<HttpResponse> {
    const response = once(this.#child, "message") as Promise<[HttpResponse]>;
    this.#child.send(question);
    return (await Promise.race([response, this.#exited]))[0];
  }

  /** Resolves when the process has exited and its resources are free. */
  async stop(): Promise<void> {
    this.#child.kill();
    await this.#exited.catch(() => {});
  }
}

/** Responds to requests in a process started by {@link Process}. */
export function respondToQuestions<Question, HttpResponse>(
  respond: (question: Question) => Promise<HttpResponse>,
): void {
  // The parent process has exited, so this process exits, even if handles are open.
  process.once("disconnect", () => process.exit());
  process.on("message", (question) => {
    respond(question as Question).then(
      (result) => process.send?.(result),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
}
