import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Logger } from "pino";
import type { ApiError } from "../../api/api-error.js";
import { JSON_TYPE } from "../../api/encoded-answer.js";
import { encodeFrame } from "../../backup/backup-frames.js";
import { type BackupSource, sendBackup } from "../../backup/send-backup.js";
import { errorJson } from "../../http/error-json.js";
import { findHeadError, headOf } from "../../http/request-head.js";
import { responseSignal } from "../../http/response-signal.js";
import { methodNotAllowed } from "../../http/route-errors.js";
import { MAX_BACKUP_STALL_MS } from "../../limits/limits.js";
import type { Clock } from "../../model/clock.js";
import { backupRefused, backupRunning } from "./backup-errors.js";
import { isFromOwnMachine } from "./own-machine.js";

/** Path of backups on the operators' listener. */
export const BACKUP_PATH = "/backup";

/** Parts of the route for backups. */
export interface BackupParts extends BackupSource {
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * Called when a backup was sent to its end, with the time at which it began, in milliseconds since the Unix
   * epoch.
   */
  readonly onSent: (began: number) => void;
}

/**
 * Sends a backup in answer to a POST of a program on this machine, one at a time. The answer begins at once;
 * its last frame says whether the backup is complete.
 */
export function backupRoute(parts: BackupParts, errorDomain: string): RequestListener {
  let isRunning = false;
  return (request, response) => {
    request.resume();
    const error = findRefusal(request) ?? (isRunning ? backupRunning() : undefined);
    if (error !== undefined) return refuse(response, error, errorDomain);
    isRunning = true;
    void send(parts, response).finally(() => {
      isRunning = false;
    });
  };
}

function findRefusal(request: IncomingMessage): ApiError | undefined {
  const { method = "" } = request;
  const error = findHeadError(headOf(request));
  if (error !== undefined) return error;
  if (method !== "POST") return methodNotAllowed(method, BACKUP_PATH, ["POST"]);
  return isFromOwnMachine(request) ? undefined : backupRefused();
}

/** Answers with an error. */
export function refuse(response: ServerResponse, error: ApiError, errorDomain: string): void {
  const headers = { "content-type": JSON_TYPE, "cache-control": "no-store", ...error.headers };
  response.writeHead(error.httpStatus, headers).end(errorJson(error, errorDomain));
}

async function send(parts: BackupParts, response: ServerResponse): Promise<void> {
  const { clock, logger, onSent } = parts;
  const signal = responseSignal(response);
  const began = clock.wall();
  const frames = sendBackup(parts, new Date(began).toISOString(), signal);
  let failure: unknown;
  response.writeHead(200, { "content-type": "application/octet-stream", "cache-control": "no-store" });
  response.flushHeaders();
  response.setTimeout(MAX_BACKUP_STALL_MS, () => response.destroy());
  try {
    await pipeline(
      Readable.from(
        endingWithError(frames, (error) => {
          failure = error;
        }),
      ),
      response,
    );
  } catch (error) {
    failure ??= error;
  }
  if (failure === undefined) {
    onSent(began);
    logger.info({ durationMs: Math.round(clock.wall() - began) }, "a backup was sent");
  } else if (signal.aborted) logger.warn("a backup was given up: its receiver has gone");
  else logger.error({ err: failure }, "a backup failed");
}

/** Sends an error as the last frame: the status of the answer is sent already. */
async function* endingWithError(
  frames: AsyncIterable<Uint8Array>,
  onError: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* frames;
  } catch (error) {
    onError(error);
    yield encodeFrame({ error: reasonOf(error) });
  }
}

/** The message of an error with that of its cause, each without further lines. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [line = ""] = error.message.split("\n");
  return error.cause instanceof Error ? `${line}: ${reasonOf(error.cause)}` : line;
}
