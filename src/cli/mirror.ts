import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { Command } from "commander";
import type { MirrorLine } from "../server/operators/mirror/mirror-route.js";
import { CommandFailure } from "./support/command-failure.js";
import { failClearly } from "./support/fail-clearly.js";
import { adminFlag, callOperators } from "./support/operators-listener.js";
import { ProgressBar } from "./support/progress-bar.js";

const EXAMPLE = `
Examples:
  $ waybill mirror --once
  $ waybill mirror --once --project shop --app 1:500000000001:android:aa11bb22cc33`;

interface MirrorFlags {
  readonly once: true;
  readonly project?: string;
  readonly app?: string;
  readonly admin: string;
}

/** `waybill mirror`: makes a running server read what it mirrors. */
export function mirrorCommand(): Command {
  return new Command("mirror")
    .description("Make a running server read the delivery data that it mirrors, now")
    .requiredOption("--once", "read once, besides the server's own schedule")
    .option("--project <project>", "id or number of a project; all mirrored projects without it")
    .option("--app <app>", "id of an app; all apps without it")
    .addOption(adminFlag())
    .addHelpText("after", EXAMPLE)
    .action(failClearly(mirrorOnce));
}

async function mirrorOnce({ project, app, admin }: MirrorFlags): Promise<void> {
  const query = new URLSearchParams({ ...(project && { project }), ...(app && { app }) });
  const { body } = await callOperators(admin, `mirror?${query}`, { method: "POST" });
  const view = new MirrorView();
  let isDone = false;
  try {
    const lines = Readable.fromWeb((body ?? new Blob([]).stream()) as ReadableStream);
    for await (const text of createInterface({ input: lines })) {
      const line = JSON.parse(text) as MirrorLine;
      if ("done" in line) isDone = true;
      else view.show(line);
    }
  } catch (cause) {
    throw new CommandFailure("the server stopped before the end; see its log", { cause });
  } finally {
    view.end();
  }
  if (!isDone) throw new CommandFailure("the server stopped before the end; see its log");
  if (view.hasFailed) throw new CommandFailure("not everything could be read; the server will try again");
}

/** Shows rounds: a bar on a terminal, a line for each app that fails, and one for each project. */
class MirrorView {
  #bar: ProgressBar | undefined;
  /** True once an app or a project could not be read. */
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
        `${line.project}: ${numberOf(apps, "app")}, ${numberOf(pages, "page")}; ` +
          `${numberOf(added, "entry", "entries")} new, ${changed} changed, ${unchanged} unchanged; ` +
          `${numberOf(gaps, "gap")}\n`,
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

const numberOf = (count: number, one: string, several = `${one}s`): string =>
  `${count} ${count === 1 ? one : several}`;
