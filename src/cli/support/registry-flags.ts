import type { RegistryClient } from "@waybill/client";
import type { Command } from "commander";
import { type ClientFlags, clientOf, serverOption, tokenOption } from "./client-flags.js";
import { ndjson, type Pages, printFitting, table } from "./page-formats.js";
import type { Column } from "./text-table.js";

/** Values of the flags for commands that call the registry service. */
export interface RegistryFlags extends ClientFlags {
  readonly json?: true;
}

export interface ProjectFlags extends RegistryFlags {
  readonly project: string;
}

/** Adds the options for the service address and the token. */
export const addRegistryFlags = (command: Command): Command =>
  command.addOption(serverOption("registry")).addOption(tokenOption());

/** Adds these options, and the one for the project. */
export const addProjectFlags = (command: Command): Command =>
  addRegistryFlags(command).requiredOption("--project <project>", "id or number of the project");

/** Creates a registry client from the flags. @throws the same errors as {@link clientOf}. */
export const registryOf = (flags: ClientFlags): RegistryClient => clientOf("registry", flags).registry;

/** The maximum page size. */
export const PAGE_SIZE = 1_000;

/** Prints a list as a table, or as one JSON object per item. */
export const printList = <R>(
  pages: Pages<R>,
  columns: readonly Column<R>[],
  { json }: RegistryFlags,
): Promise<void> => printFitting((space) => (json ? ndjson(pages) : table(pages, columns, space)));

/** Shows that a resource is defined in the configuration file, so that the API cannot change it. */
export const definedIn = ({ provisionedByFile }: { readonly provisionedByFile?: boolean }): string =>
  provisionedByFile ? "file" : "registry";

export const jsonLine = (resource: object): string => `${JSON.stringify(resource)}\n`;
