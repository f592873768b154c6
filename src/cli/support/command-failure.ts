import { WaybillError } from "@waybill/client";
import { BackupError } from "../../backup/backup-error.js";
import { KeyError } from "../../control/keys.js";
import { StoreOpenError, StoreUnavailableError } from "../../model/store-error.js";
import { systemProblem } from "../../model/system-error.js";
import { ConfigError } from "../../server/config/config-values.js";

/** A command failed for a reason that the message explains to the user. The process ends with exit code 1. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
}

/** Converts errors that users can fix to a {@link CommandFailure}. Other errors are bugs. */
export function failClearly<A extends unknown[]>(
  action: (...args: A) => Promise<void>,
): (...args: A) => Promise<void> {
  return async (...args) => {
    try {
      await action(...args);
    } catch (error) {
      const problem = isClear(error) ? error.message : systemProblem(error);
      if (problem === undefined) throw error;
      throw new CommandFailure(problem, { cause: error });
    }
  };
}

function isClear(error: unknown): error is Error {
  return (
    error instanceof BackupError ||
    error instanceof ConfigError ||
    error instanceof KeyError ||
    error instanceof StoreOpenError ||
    error instanceof StoreUnavailableError ||
    error instanceof WaybillError
  );
}
