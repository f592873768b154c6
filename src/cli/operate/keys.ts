import { Command } from "commander";
import {
  publishedAt,
  removeTimeOf,
  signingKeyAt,
  type TokenKeys,
  withNextKey,
  withoutKey,
} from "../../integrity/tokens/key-schedule.js";
import { changeTokenKeys, readTokenKeys } from "../../integrity/tokens/token-keys.js";
import { systemClock, type UnixMillis } from "../../model/clock.js";
import { at } from "../../model/collections.js";
import { CommandFailure, failClearly } from "../support/command-failure.js";
import { print } from "../support/print.js";
import { type Column, TextTable } from "../support/text-table.js";
import {
  type ControlFlags,
  controlConfigOf,
  withControl,
  withControlFlags,
} from "../support/with-control.js";
import { callClock } from "./admin-listener.js";

const EXAMPLE = `
Examples:
  $ waybill keys list --data-dir ./data
  $ waybill keys rotate --config waybill.yaml
  $ waybill keys revoke --data-dir ./data 0NzSRHcuWSN4oLzcUWxGk4ZYNPRuM6dPt2e-ECCuNDA`;

interface KeysFlags extends ControlFlags {
  readonly admin?: string;
}

/** `waybill keys`: manages the keys that sign tokens of the app-integrity service. */
export function keysCommand(): Command {
  const command = new Command("keys")
    .description("Manage the keys that sign tokens of the app-integrity service")
    .addHelpText("after", EXAMPLE);
  addCommand(command, "list")
    .description("Print the keys, without their private parts")
    .option("--json", "print each key as a JSON object")
    .action(failClearly((flags: KeysFlags & { readonly json?: true }) => list(flags)));
  addCommand(command, "rotate")
    .description("Publish the next key now; it signs tokens six hours later")
    .action(failClearly(rotate));
  addCommand(command, "revoke")
    .description("Remove a key; verifiers reject its tokens once they read the key set again")
    .argument("<kid>", "key id, from waybill keys list; after -- if it begins with a hyphen")
    .action(failClearly(revoke));
  return command;
}

const addCommand = (parent: Command, name: string): Command =>
  withControlFlags(parent.command(name)).option(
    "--admin <url>",
    "admin listener of a server with an adjustable clock, to use its time",
  );

async function list(flags: KeysFlags & { readonly json?: true }): Promise<void> {
  const config = await controlConfigOf(flags);
  const now = await timeFor(flags);
  const keys = await withControl(config, ({ records }) => readTokenKeys(records));
  const rows = rowsOf(keys, now);
  if (flags.json) await print(rows.map((row) => `${JSON.stringify(row)}\n`));
  else if (rows.length === 0)
    await print([
      "There are no keys; the server creates the first one when a token or the key set is first requested.\n",
    ]);
  else await print(tableOf(rows));
}

async function rotate(flags: KeysFlags): Promise<void> {
  const config = await controlConfigOf(flags);
  const now = await timeFor(flags);
  const waitingAt = (keys: TokenKeys) => keys.find(({ firstUseTime }) => firstUseTime > now);
  const keys = await withControl(config, ({ records }) =>
    changeTokenKeys(records, (before, next) =>
      waitingAt(before) ? undefined : withNextKey(before, next, now),
    ),
  );
  const { kid, firstUseTime } = waitingAt(keys) ?? at(keys, keys.length - 1);
  await print([`${kid} signs tokens from ${isoTime(firstUseTime)}.\n`]);
}

async function revoke(kid: string, flags: KeysFlags): Promise<void> {
  const config = await controlConfigOf(flags);
  const now = await timeFor(flags);
  let isKnown = false;
  const keys = await withControl(config, ({ records }) =>
    changeTokenKeys(records, (before, spare) => {
      const after = withoutKey(before, kid, spare, now);
      isKnown = after !== undefined;
      return after;
    }),
  );
  if (!isKnown) throw new CommandFailure(`there is no key ${kid}; list the keys with waybill keys list`);
  const signing = signingKeyAt(keys, now);
  await print([`${kid} is revoked. ${signing?.kid} signs tokens.\n`]);
}

/**
 * Returns the current time: the machine time, or with `--admin`, the server time.
 *
 * @throws CommandFailure if the server of `--admin` has no adjustable clock, or cannot be reached.
 */
async function timeFor({ admin, ...flags }: KeysFlags): Promise<UnixMillis> {
  if (admin === undefined) return systemClock.wall();
  return Date.parse((await callClock({ ...flags, admin }, {})).time);
}

interface Row {
  readonly kid: string;
  readonly state: "published" | "signing" | "retired";
  readonly publishTime: string;
  readonly firstUseTime: string;
  /** Time at which the key is removed. Omitted until another key follows it. */
  readonly removeTime?: string;
}

function rowsOf(keys: TokenKeys, now: number): readonly Row[] {
  const signing = signingKeyAt(keys, now);
  return publishedAt(keys, now).map((key) => {
    const { kid, publishTime, firstUseTime } = key;
    const removeTime = removeTimeOf(keys, key);
    return {
      kid,
      state: key === signing ? "signing" : firstUseTime > now ? "published" : "retired",
      publishTime: isoTime(publishTime),
      firstUseTime: isoTime(firstUseTime),
      ...(removeTime !== undefined && { removeTime: isoTime(removeTime) }),
    };
  });
}

const COLUMNS: readonly Column<Row>[] = [
  { title: "key", leastWidth: 43, text: ({ kid }) => kid },
  { title: "state", leastWidth: 9, text: ({ state }) => state },
  { title: "published", leastWidth: 24, text: ({ publishTime }) => publishTime },
  { title: "first use", leastWidth: 24, text: ({ firstUseTime }) => firstUseTime },
  { title: "removed", leastWidth: 24, text: ({ removeTime }) => removeTime ?? "-" },
];

function* tableOf(rows: readonly Row[]): Generator<string> {
  const table = new TextTable(COLUMNS, rows);
  yield table.head();
  for (const row of rows) yield table.line(row);
}

const isoTime = (time: number): string => new Date(time).toISOString();
