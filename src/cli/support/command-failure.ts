import { WaybillError } from "@waybill/client";
import { serviceUrl } from "@waybill/client/support";
import { BackupError } from "../../backup/backup-directory.js";
import { KeyError } from "../../control/keys.js";
import { StoreOpenError, StoreUnavailableError } from "../../model/store-error.js";
import { systemProblem } from "../../model/system-error.js";
import { ConfigError } from "../../server/config/config-values.js";

/** A command has failed. The message explains the reason to the user, and the process exits with code 1. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
}

/** Converts errors that users can fix to a {@link CommandFailure}. Any other error is a bug. */
export function failClearly<A extends unknown[]>(
  action: (...args: A) => Promise<void>,
): (...args: A) => Promise<void> {
  return async (...args) => {
    try {
      await action(...args);
    } catch (error) {
      const problem = problemOf(error);
      if (problem === undefined) throw error;
      // Commander calls an action with the flags and the command as its last arguments.
      const link = docsLink(error, args.at(-2) as { readonly server?: string });
      throw new CommandFailure(`${problem}${link}`, { cause: error });
    }
  };
}

/**
 * Returns a link to the documentation about an error's reason, to append to the error message. The messaging-data
 * service serves this documentation. Empty for violations, because they explain themselves, and for other errors.
 */
function docsLink(error: unknown, { server = "" }: { readonly server?: string }): string {
  const cause = error instanceof CommandFailure ? error.cause : error;
  if (!(cause instanceof WaybillError) || cause.violations.length > 0) return "";
  const { reason, domain } = cause;
  if (reason === undefined || domain !== "messaging-data.waybill") return "";
  return ` See ${serviceUrl(server, "--server").href}docs/reference/errors#${reason.toLowerCase()}`;
}

/** Returns an error's message if users can fix the problem. Returns undefined for any other error, which is a bug. */
export const problemOf = (error: unknown): string | undefined =>
  isClear(error) ? error.message : systemProblem(error);

function isClear(error: unknown): error is Error {
  return (
    error instanceof BackupError ||
    error instanceof CommandFailure ||
    error instanceof ConfigError ||
    error instanceof KeyError ||
    error instanceof StoreOpenError ||
    error instanceof StoreUnavailableError ||
    error instanceof WaybillError
  );
}
