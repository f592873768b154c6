import { Command, InvalidArgumentError, Option } from "commander";
import { failClearly } from "../support/command-failure.js";
import { type AdminFlags, addAdminFlags, callClock } from "./admin-listener.js";

const EXAMPLE = `
Examples:
  $ waybill clock
  $ waybill clock set 2026-11-20T12:00:00Z
  $ waybill clock advance 2d
  $ waybill clock rate 60`;

/** `waybill clock`: shows and sets a running server's clock. */
export function clockCommand(): Command {
  const command = addAdminFlags(new Command("clock"))
    .description("Show or set a running server's adjustable clock (serve --clock)")
    .addHelpText("after", EXAMPLE)
    .action(failClearly(() => show()));
  const show = (change?: object): Promise<void> => showClock(command.opts<AdminFlags>(), change);
  command
    .command("set")
    .description("Set the clock to a time")
    .argument("<time>", "such as 2026-11-20T12:00:00Z")
    .addOption(forceFlag())
    .action(failClearly((time: string, flags: ForceFlag) => show({ time, ...flags })));
  const advance = command.command("advance");
  advance
    .description("Advance the clock, and wait until the days that ended are listed")
    .argument("<duration>", "such as 2d or 1h30m", (text: string) => parseAdvance(text, advance))
    .addOption(forceFlag())
    // Without this, a negative duration would be parsed as an option.
    .allowUnknownOption()
    .action(failClearly((duration: string, flags: ForceFlag) => show({ advance: duration, ...flags })));
  command
    .command("rate")
    .description("Run the clock faster or slower than real time")
    .argument("<factor>", "such as 60 for an hour in a minute; 0 stops it", parseFactor)
    .action(failClearly((rate: number) => show({ rate })));
  return command;
}

interface ForceFlag {
  readonly force?: true;
}

const forceFlag = (): Option =>
  new Option("--force", "set the time even if retention then deletes all listed days permanently");

/** Changes the clock if requested, then prints it. */
async function showClock(flags: AdminFlags, change?: object): Promise<void> {
  const init = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(change),
  };
  const { time, rate } = await callClock(flags, change === undefined ? {} : init);
  process.stdout.write(`${time}, rate ${rate}\n`);
}

function parseAdvance(text: string, command: Command): string {
  if (/^-\d/.test(text)) {
    throw new InvalidArgumentError("It must not be negative. To set the clock back, use waybill clock set.");
  }
  if (text.startsWith("-")) command.error(`error: unknown option '${text}'`);
  return text;
}

function parseFactor(text: string): number {
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a number such as 60 or 0.5.");
}
