import type { RegistryClient } from "@waybill/client";
import { type Command, InvalidArgumentError } from "commander";
import { type ClientFlags, clientOf, serverOption, tokenOption } from "./client-flags.js";
import { ndjson, type Pages, printFitting, table } from "./page-formats.js";
import type { Column } from "./text-table.js";

/** Flags of every command that calls the registry service. */
export interface RegistryFlags extends ClientFlags {
  readonly json?: true;
}

/** Adds the service's address and the token. */
export const addRegistryFlags = (command: Command): Command =>
  command.addOption(serverOption("registry")).addOption(tokenOption());

/** Returns the client for the flags. @throws the same errors as {@link clientOf}. */
export const registryOf = (flags: ClientFlags): RegistryClient => clientOf("registry", flags).registry;

/** The maximum page size. */
export const PAGE_SIZE = 1_000;

/** Prints a list as a table, or each item as a JSON object. */
export const printList = <R>(
  pages: Pages<R>,
  columns: readonly Column<R>[],
  { json }: RegistryFlags,
): Promise<void> => printFitting((space) => (json ? ndjson(pages) : table(pages, columns, space)));

/** Shows if a resource is in the configuration file, so that the API cannot change it. */
export const definedIn = ({ provisionedByFile }: { readonly provisionedByFile?: boolean }): string =>
  provisionedByFile ? "file" : "registry";

/** Returns a resource as a JSON line. */
export const jsonLine = (resource: object): string => `${JSON.stringify(resource)}\n`;

/** Parses a repeatable flag. */
export function parseSeveral(text: string, before: readonly string[] = []): readonly string[] {
  if (text !== "") return [...before, text];
  throw new InvalidArgumentError("It must not be empty.");
}
