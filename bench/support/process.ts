import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

/** A module of `bench/processes` that runs in a process of its own and answers questions, one at a time. */
export class Process<Question extends object, Answer> {
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
      // Who asks learns of it.
    });
  }

  async ask(question: Question): Promise<Answer> {
    const answer = once(this.#child, "message") as Promise<[Answer]>;
    this.#child.send(question);
    return (await Promise.race([answer, this.#exited]))[0];
  }

  /** Resolves when the process is gone, with all that it held. */
  async stop(): Promise<void> {
    this.#child.kill();
    await this.#exited.catch(() => {});
  }
}

/** What a module of `bench/processes` does with the questions it is asked. */
export function answerQuestions<Question, Answer>(answer: (question: Question) => Promise<Answer>): void {
  // Whoever asked has ended: what is open here must not go on.
  process.once("disconnect", () => process.exit());
  process.on("message", (question) => {
    answer(question as Question).then(
      (result) => process.send?.(result),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
}
