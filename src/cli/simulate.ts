import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { toJson } from "@bufbuild/protobuf";
import { SingleBar } from "cli-progress";
import { Command, InvalidArgumentError } from "commander";
import {
  type AndroidDeliveryData,
  AndroidDeliveryDataSchema,
} from "../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { systemReason } from "../model/system-error.js";
import type { Fault } from "../simulator/faults.js";
import { losAngelesDays } from "../simulator/los-angeles-time.js";
import {
  appIds,
  type Simulation,
  type SimulationOptions,
  simulateTraffic,
} from "../simulator/simulate-traffic.js";
import { CommandFailure, failClearly } from "./support/command-failure.js";
import { wholeNumber } from "./support/flag-values.js";
import { isOutputError } from "./support/print.js";

interface SimulateFlags {
  readonly messages: number;
  readonly days: number;
  readonly start: string;
  readonly apps: number;
  readonly labels: number;
  readonly seed: number;
  readonly out: string;
  readonly expect?: string;
  readonly fault?: readonly Fault[];
}

const EXAMPLE = `
Example:
  $ waybill simulate --messages 50000 --days 14 --out events.ndjson.gz --expect expected.ndjson
  $ waybill import --project demo-project --token "$(waybill token)" events.ndjson.gz

The same flags produce the same bytes. --expect writes one entry per line: app by app, each in the
order in which the service lists them.`;

/** `waybill simulate`: writes simulated message events, and the delivery data that they must result in. */
export function simulateCommand(): Command {
  return new Command("simulate")
    .description("Write a file of realistic message events")
    .option("--messages <count>", "number of accepted messages", wholeNumber(1, 1e12), 100_000)
    .option("--days <count>", "number of days in America/Los_Angeles", wholeNumber(1, 3660), 28)
    .option("--start <date>", "first day, YYYY-MM-DD", startDay, "2025-03-03")
    .option("--apps <count>", "number of apps", wholeNumber(1, 1000), 3)
    .option("--labels <count>", "number of analytics labels", wholeNumber(0, 100_000), 20)
    .option(
      "--seed <number>",
      "random seed; the same seed produces the same file",
      wholeNumber(0, Number.MAX_SAFE_INTEGER),
      1,
    )
    .option("--out <file>", "output file; - for standard output; .gz files are compressed", "-")
    .option("--expect <file>", "output file for the expected delivery data")
    .option(
      "--fault <keys>",
      "fewer deliveries, such as label=promo,from=2025-03-10,to=2025-03-12,delivered=0.4; repeatable",
      (text, faults: readonly Fault[] = []) => [...faults, faultFlag(text)],
    )
    .addHelpText("after", EXAMPLE)
    .action(failClearly(simulate));
}

async function simulate(flags: SimulateFlags): Promise<void> {
  const { messages, days, start, apps, labels, seed, out, expect, fault = [] } = flags;
  if (out === expect) throw new CommandFailure("--out and --expect are the same file");
  const simulation = planned({
    apps: appIds(apps),
    startDay: start,
    days,
    messages,
    labels,
    seed,
    faults: fault,
  });
  try {
    await write(out, withProgress(simulation, messages));
    if (expect !== undefined) await write(expect, entryLines(simulation.truth()));
  } catch (error) {
    if (!isOutputError(error)) throw error;
    // The reader of standard output, such as `head`, may close the pipe early.
    if (out === "-" && expect !== undefined)
      throw new CommandFailure(
        "standard output was closed early, so that the data for --expect is incomplete",
      );
  }
}

function planned(options: SimulationOptions): Simulation {
  try {
    return simulateTraffic(options);
  } catch (error) {
    if (error instanceof RangeError) throw new CommandFailure(`--fault: ${error.message}`);
    throw error;
  }
}

async function write(file: string, lines: Iterable<string>): Promise<void> {
  const source = Readable.from(lines);
  if (file === "-") return pipeline(source, process.stdout, { end: false });
  try {
    if (file.endsWith(".gz")) await pipeline(source, createGzip(), createWriteStream(file));
    else await pipeline(source, createWriteStream(file));
  } catch (cause) {
    const reason = systemReason(cause);
    if (reason === undefined) throw cause;
    throw new CommandFailure(`cannot write ${file}: ${reason}`, { cause });
  }
}

function* entryLines(entries: Iterable<AndroidDeliveryData>): Generator<string> {
  for (const entry of entries) yield `${JSON.stringify(toJson(AndroidDeliveryDataSchema, entry))}\n`;
}

/** Yields the lines, and shows a progress bar if standard error is a terminal. */
function* withProgress(simulation: Simulation, messages: number): Generator<string> {
  const bar = new SingleBar({ format: "{bar} {percentage}% {value}/{total} messages, {eta_formatted} left" });
  bar.start(messages, 0);
  try {
    for (const lines of simulation) {
      bar.update(simulation.accepted);
      yield lines;
    }
  } finally {
    bar.stop();
  }
}

function startDay(text: string): string {
  try {
    losAngelesDays(text, 1);
  } catch {
    throw new InvalidArgumentError("It must be a date, YYYY-MM-DD.");
  }
  if (text >= "1970-01-01" && text <= "9900-01-01") return text;
  throw new InvalidArgumentError("It must be from 1970-01-01 to 9900-01-01.");
}

const KEYS = ["label", "from", "to", "delivered"];

/**
 * Parses the value of `--fault`, such as `label=promo,from=2025-03-10,delivered=0.4`.
 *
 * @throws InvalidArgumentError with the key.
 */
function faultFlag(text: string): Fault {
  const values = new Map<string, string>();
  for (const pair of text.split(",")) {
    const [, key = pair, value] = /^([^=]*)=(.*)$/.exec(pair) ?? [];
    if (value === undefined || !KEYS.includes(key))
      throw new InvalidArgumentError(`"${key}" is not one of ${KEYS.join("=, ")}=.`);
    if (values.has(key)) throw new InvalidArgumentError(`${key} is repeated.`);
    values.set(key, value);
  }
  const label = values.get("label");
  const from = date("from", values.get("from"));
  const to = values.has("to") ? date("to", values.get("to")) : undefined;
  if (to !== undefined && to < from) throw new InvalidArgumentError("to must not be before from.");
  const delivered = Number(values.get("delivered") || Number.NaN);
  if (!(delivered >= 0 && delivered < 1))
    throw new InvalidArgumentError("delivered must be at least 0 and less than 1.");
  return { ...(label !== undefined && { label }), from, ...(to !== undefined && { to }), delivered };
}

function date(key: string, text = ""): string {
  try {
    losAngelesDays(text, 1);
    return text;
  } catch {
    throw new InvalidArgumentError(`${key} must be a date, YYYY-MM-DD.`);
  }
}
