import { ApiError } from "../../api/api-error.js";
import { Code } from "../../gen/google/rpc/code_pb.js";

/** Another backup is under way (409). */
export const backupRunning = (): ApiError =>
  new ApiError({
    code: Code.ABORTED,
    reason: "BACKUP_RUNNING",
    message: "Another backup of this server is running. Start the next one when it has ended.",
  });
