import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { Command, Option } from "commander";
import type { MirrorLine, ResponseLine } from "../../server/operators/mirror-routes.js";
import { CommandFailure, failClearly } from "../support/command-failure.js";
import { counted } from "../support/counted.js";
import { print } from "../support/print.js";
import { ProgressBar } from "../support/progress-bar.js";
import { type AdminFlags, addAdminFlags, callAdmin } from "./admin-listener.js";

const EXAMPLE = `
Examples:
  $ waybill mirror --once
  $ waybill mirror --once --project shop --app 1:500000000001:android:aa11bb22cc33
  $ waybill mirror --responses --project shop --app 1:500000000001:android:aa11bb22cc33 | head -n 1`;

interface MirrorFlags extends AdminFlags {
  readonly once?: true;
  readonly responses?: true;
  readonly project?: string;
  readonly app?: string;
}

/** `waybill mirror`: makes a running server read its mirrors from upstream, or prints stored upstream responses. */
export function mirrorCommand(): Command {
  return addAdminFlags(new Command("mirror"))
    .description("Start a round of a running server's mirrors, or print stored upstream responses")
    .option("--once", "read once, in addition to the server's schedule")
    .addOption(
      new Option("--responses", "print the upstream responses for an app, unchanged, newest first").conflicts(
        "once",
      ),
    )
    .option("--project <project>", "id or number of a project (default: all mirrored projects)")
    .option("--app <app>", "id of an app (default: all apps)")
    .addHelpText("after", EXAMPLE)
    .action(
      failClearly(async (flags: MirrorFlags) => {
        if (flags.responses) return printResponses(flags);
        if (flags.once) return mirrorOnce(flags);
        throw new CommandFailure("nothing to do; set --once or --responses");
      }),
    );
}

/** Prints each stored response as a line of JSON. */
async function printResponses({ project, app, ...flags }: MirrorFlags): Promise<void> {
  if (project === undefined || app === undefined) {
    throw new CommandFailure("--responses needs --project and --app");
  }
  const { body } = await callAdmin(flags, `mirror/responses?${new URLSearchParams({ project, app })}`, {});
  await print(responsesIn(body));
}

async function* responsesIn(body: Response["body"]): AsyncGenerator<string> {
  for await (const line of linesIn<ResponseLine>(body)) yield `${JSON.stringify(line)}\n`;
}

async function mirrorOnce({ project, app, ...flags }: MirrorFlags): Promise<void> {
  const query = new URLSearchParams({ ...(project && { project }), ...(app && { app }) });
  const { body } = await callAdmin(flags, `mirror?${query}`, { method: "POST" });
  const view = new MirrorView();
  try {
    for await (const line of linesIn<MirrorLine>(body)) view.show(line);
  } finally {
    view.end();
  }
  if (view.hasFailed) throw new CommandFailure("some data could not be read; the server will retry");
}

/** Reads a response's lines, up to the last line, `done`. @throws CommandFailure if the response is truncated. */
async function* linesIn<Line extends object>(
  body: Response["body"],
): AsyncGenerator<Exclude<Line, { readonly done: true }>> {
  const input = Readable.fromWeb((body ?? new Blob([]).stream()) as ReadableStream);
  try {
    for await (const text of createInterface({ input })) {
      const line = JSON.parse(text) as Line;
      if ("done" in line) return;
      yield line as Exclude<Line, { readonly done: true }>;
    }
  } catch (cause) {
    throw cutShort({ cause });
  } finally {
    // Otherwise, the connection could fail later, without a listener for the error.
    input.destroy();
  }
  throw cutShort();
}

const cutShort = (options?: ErrorOptions): CommandFailure =>
  new CommandFailure("the server stopped before it was done; see its log", options);

/**
 * Shows the progress of mirror rounds: a progress bar on terminals, a line for each failed app, and a line for each
 * project.
 */
class MirrorView {
  #bar: ProgressBar | undefined;
  /** True if an app or a project could not be read. */
  hasFailed = false;

  show(line: Exclude<MirrorLine, { readonly done: true }>): void {
    if ("apps" in line) {
      this.#bar = new ProgressBar(line.project, line.apps, { name: "apps", size: 1 });
    } else if ("appId" in line) {
      this.#bar?.add(1);
      if (line.problem !== undefined) this.#fail(`${line.project}, ${line.appId}: ${line.problem}`);
    } else if ("error" in line) {
      this.end();
      this.#fail(`${line.project}: ${line.error}`);
    } else {
      this.end();
      const { summary, gaps, problem } = line;
      if (problem !== undefined) this.#fail(`${line.project}: ${problem}`);
      if (summary.failed > 0) this.hasFailed = true;
      const { apps, pages, added, changed, unchanged } = summary;
      process.stdout.write(
        `${line.project}: ${counted(apps, "app")}, ${counted(pages, "page")}; ` +
          `${counted(added, "entry", "entries")} new, ${changed} changed, ${unchanged} unchanged; ` +
          `${counted(gaps, "gap")}\n`,
      );
    }
  }

  end(): void {
    this.#bar?.stop();
    this.#bar = undefined;
  }

  #fail(text: string): void {
    this.hasFailed = true;
    process.stderr.write(`${process.stderr.isTTY ? "\r\x1b[K" : ""}${text}\n`);
  }
}
