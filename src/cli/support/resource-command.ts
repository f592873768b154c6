import type { ResourceClient, ResourceCollection, WaybillClient } from "@waybill/client";
import { Command } from "commander";
import { type ClientFlags, clientOf, serverOption, tokenOption } from "./client-flags.js";
import { failClearly } from "./command-failure.js";
import { print } from "./print.js";
import { jsonLine, PAGE_SIZE, type ProjectFlags, printList } from "./registry-flags.js";
import type { Column } from "./text-table.js";

/** A command about one collection of resources in a project. */
export interface ResourceCommand<Resource extends object, Collection extends ResourceCollection, Flags> {
  readonly name: Collection;
  /** A resource with its article, such as `an annotation`. */
  readonly one: string;
  readonly description: string;
  readonly examples: string;
  readonly listDescription: string;
  readonly columns: readonly Column<Resource>[];
  readonly createDescription: string;
  /** Adds the options of `create`. */
  readonly withOptions: (command: Command) => Command;
  /** Reads a new resource from these options. */
  readonly read: (flags: Flags) => Resource;
  readonly clientOf: (client: WaybillClient) => ResourceClient<Resource, Collection>;
}

/** Creates a command that lists, creates and deletes resources on a running server. */
export function resourceCommand<
  Resource extends { readonly name?: string },
  Collection extends ResourceCollection,
  Flags extends ProjectFlags,
>(parts: ResourceCommand<Resource, Collection, Flags>): Command {
  const { name, one, columns } = parts;
  const singular = one.slice(one.indexOf(" ") + 1);
  const command = new Command(name)
    .description(parts.description)
    .addHelpText("after", `\nExamples:\n${parts.examples}`);
  const resources = (flags: ClientFlags) => parts.clientOf(clientOf("messaging-data", flags));
  const below = (verb: string): Command =>
    command.command(verb).addOption(serverOption("messaging-data")).addOption(tokenOption());
  const inProject = (verb: string): Command =>
    below(verb).requiredOption("--project <project>", "id or number of the project");

  inProject("list")
    .description(parts.listDescription)
    .option("--json", `print each ${singular} as a JSON object`)
    .action(
      failClearly(async (flags: ProjectFlags) => {
        const { project } = flags;
        const pages = resources(flags).list({ project, pageSize: PAGE_SIZE }).pages();
        const rows = async function* () {
          for await (const page of pages) yield page[name] ?? [];
        };
        await printList(rows(), columns, flags);
      }),
    );
  parts
    .withOptions(inProject("create").description(parts.createDescription))
    .option("--json", `print the ${singular} as a JSON object`)
    .action(
      failClearly(async (flags: Flags) => {
        const { project, json } = flags;
        const created = await resources(flags).create({ project, resource: parts.read(flags) });
        await print([json ? jsonLine(created) : `Created ${created.name}.\n`]);
      }),
    );
  below("delete")
    .description(`Delete ${one}`)
    .argument("<name>", `its name, as waybill ${name} list prints it`)
    .action(
      failClearly(async (resource: string, flags: ClientFlags) => {
        await resources(flags).delete({ name: resource });
        await print([`Deleted ${resource}.\n`]);
      }),
    );
  return command;
}
