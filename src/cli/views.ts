import type { ViewJson } from "@waybill/client";
import type { Command } from "commander";
import { MAX_LINK_LIFETIME_DAYS } from "../limits/data-limits.js";
import { type ClientFlags, clientOf, serverOption, tokenOption } from "./support/client-flags.js";
import { failClearly } from "./support/command-failure.js";
import { positiveNumber } from "./support/flag-values.js";
import { print } from "./support/print.js";
import type { ProjectFlags } from "./support/registry-flags.js";
import { resourceCommand } from "./support/resource-command.js";

const EXAMPLES = `\
  $ waybill views create --project new-shop --name "Promo, 7 days" --query "app=1:123456789012:android:0a1b2c3d4e5f&label=promo&days=7"
  $ waybill views list --project new-shop
  $ waybill views share projects/123456789012/views/7a3f9c52-0d1e-4b68-9f2a-6c5b8d7e1f04 --days 30`;

const DAY_SECONDS = 86_400;

interface CreateFlags extends ProjectFlags {
  readonly name: string;
  readonly query: string;
}

interface ShareFlags extends ClientFlags {
  readonly days: number;
}

/** `waybill views`: lists, changes and shares a project's saved views on a running server. */
export function viewsCommand(): Command {
  const command = resourceCommand({
    name: "views",
    one: "a view",
    description: "List, create, delete and share saved views of the console",
    examples: EXAMPLES,
    listDescription: "Print a project's saved views",
    columns: [
      { title: "view", leastWidth: 16, text: ({ displayName = "" }) => displayName },
      { title: "link expires", leastWidth: 12, text: ({ linkExpireTime = "" }) => linkExpireTime },
      { title: "name", leastWidth: 16, text: ({ name = "" }) => name },
    ],
    createDescription: "Save a view",
    withOptions: (create) =>
      create
        .requiredOption("--name <name>", "name that users see, up to 100 characters")
        .requiredOption("--query <query>", "query of the console's URL, without the project"),
    read: ({ name, query }: CreateFlags): ViewJson => ({
      displayName: name,
      query: String(new URLSearchParams(query)),
    }),
    clientOf: ({ views }) => views,
  });
  const below = (verb: string): Command =>
    command
      .command(verb)
      .argument("<name>", "its name, as waybill views list prints it")
      .addOption(serverOption("messaging-data"))
      .addOption(tokenOption());
  below("share")
    .description("Print a link that shows a view without sign-in, and end the previous one")
    .option(
      "--days <days>",
      `days until the link expires, up to ${MAX_LINK_LIFETIME_DAYS}`,
      positiveNumber(MAX_LINK_LIFETIME_DAYS),
      30,
    )
    .action(failClearly(share));
  below("unshare").description("End a view's link").action(failClearly(unshare));
  return command;
}

async function share(name: string, flags: ShareFlags): Promise<void> {
  const ttl = `${Math.ceil(flags.days * DAY_SECONDS)}s`;
  const { token } = await clientOf("messaging-data", flags).views.share({ name, ttl });
  await print([`${flags.server.replace(/\/+$/, "")}/console/embed#${token}\n`]);
}

async function unshare(name: string, flags: ClientFlags): Promise<void> {
  await clientOf("messaging-data", flags).views.unshare({ name });
  await print([`Ended the link of ${name}.\n`]);
}
