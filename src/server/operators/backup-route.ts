import type { Logger } from "pino";
import { ApiError } from "../../api/api-error.js";
import type { PlainRoute } from "../../api/plain-route.js";
import { encodeFrame } from "../../backup/backup-frames.js";
import { type BackupSource, removeLeftSnapshots, sendBackup } from "../../backup/send-backup.js";
import { Code } from "../../gen/google/rpc/code_pb.js";
import { MAX_BACKUP_STALL_MS } from "../../limits/request-limits.js";
import type { Clock } from "../../model/clock.js";
import type { Store } from "../../store/store.js";
import type { ServerParts } from "../server-parts.js";
import { BACKUP_PATH } from "./admin-access.js";
import { VERSION } from "./version.js";

export interface BackupParts extends BackupSource {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called when a backup was sent completely, with its start time in milliseconds since the Unix epoch. */
  readonly onSent: (began: number) => void;
}

/**
 * Creates the backup route of a store. Removes the snapshot that an interrupted backup has left, if any.
 *
 * @param store must lock the data directory, so that no other process makes backups.
 */
export async function openBackupRoute(
  { config: { dataDir }, control, metrics, logger, clock }: ServerParts,
  store: Store,
): Promise<PlainRoute> {
  await removeLeftSnapshots(dataDir);
  const onSent = (began: number): void => metrics.lastBackup.set(began / 1000);
  return backupRoute({
    dataDir,
    store,
    snapshotRecords: control.snapshot,
    version: VERSION,
    clock,
    logger,
    onSent,
  });
}

/**
 * Creates a route that sends a backup in response to a POST, one at a time. The response starts immediately, and its
 * last frame has the result.
 */
export function backupRoute(parts: BackupParts): PlainRoute {
  let isRunning = false;
  return {
    httpMethod: "POST",
    path: BACKUP_PATH,
    respond: ({ signal }) => {
      if (isRunning) throw backupRunning();
      isRunning = true;
      const onEnd = (): void => {
        isRunning = false;
      };
      return {
        body: {
          contentType: "application/octet-stream",
          pieces: framesOf(parts, signal, onEnd),
          stallMs: MAX_BACKUP_STALL_MS,
        },
        headers: { "cache-control": "no-store" },
      };
    },
  };
}

/** Another backup is in progress (409). */
const backupRunning = (): ApiError =>
  new ApiError({
    code: Code.ABORTED,
    reason: "BACKUP_RUNNING",
    message: "Another backup of this server is running. Try again when it is complete.",
  });

async function* framesOf(
  parts: BackupParts,
  signal: AbortSignal,
  onEnd: () => void,
): AsyncGenerator<Uint8Array> {
  const { clock, logger, onSent } = parts;
  const began = clock.wall();
  let isSent = false;
  try {
    yield* sendBackup(parts, new Date(began).toISOString(), signal);
    isSent = true;
    onSent(began);
    logger.info({ durationMs: Math.round(clock.wall() - began) }, "backup sent");
  } catch (error) {
    if (signal.aborted) return;
    logger.error({ err: error }, "backup failed");
    // The response status was already sent, so that the error becomes the last frame.
    yield encodeFrame({ error: reasonOf(error) });
  } finally {
    onEnd();
    if (signal.aborted && !isSent) logger.warn("backup cancelled because its client disconnected");
  }
}

/** Joins the first line of an error's message with the first lines of its causes' messages. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [line = ""] = error.message.split("\n");
  return error.cause instanceof Error ? `${line}: ${reasonOf(error.cause)}` : line;
}
