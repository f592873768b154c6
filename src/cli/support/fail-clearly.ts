import { BackupError } from "../../backup/backup-error.js";
import { WaybillError } from "../../client/waybill-error.js";
import { KeyError } from "../../control/key-store.js";
import { StoreOpenError, StoreUnavailableError } from "../../model/store-error.js";
import { ConfigError } from "../../server/config/config-error.js";
import { CommandFailure } from "./command-failure.js";

/** System errors that a user can fix without knowing the program. */
const SYSTEM_ERRORS =
  /^(EADDRINUSE|EADDRNOTAVAIL|EACCES|EEXIST|ENOENT|ENOSPC|EDQUOT|EFBIG|EROFS|EISDIR|ENOTDIR|EPERM|ENOTFOUND)$/;

/** Turns errors that a user can fix into a {@link CommandFailure}. Other errors are faults of the program. */
export function failClearly<A extends unknown[]>(
  action: (...args: A) => Promise<void>,
): (...args: A) => Promise<void> {
  return async (...args) => {
    try {
      await action(...args);
    } catch (error) {
      if (isClear(error)) throw new CommandFailure(error.message, { cause: error });
      throw error;
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
    error instanceof WaybillError ||
    (error instanceof Error && SYSTEM_ERRORS.test((error as NodeJS.ErrnoException).code ?? ""))
  );
}
