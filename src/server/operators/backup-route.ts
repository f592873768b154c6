import type { RequestListener, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Logger } from "pino";
import type { ApiError } from "../../api/api-error.js";
import { JSON_TYPE } from "../../api/encoded-answer.js";
import { encodeFrame } from "../../backup/backup-frames.js";
import { type BackupSource, sendBackup } from "../../backup/send-backup.js";
import { errorJson } from "../../http/error-json.js";
import { responseSignal } from "../../http/response-signal.js";
import { methodNotAllowed } from "../../http/route-errors.js";
import { MAX_BACKUP_STALL_MS } from "../../limits/limits.js";
import type { Clock } from "../../model/clock.js";
import { backupRunning } from "./backup-errors.js";

/** Path of backups on the admin listener. */
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

/** Sends a backup in response to a POST, one at a time. The response begins at once; its last frame is its result. */
export function backupRoute(parts: BackupParts, errorDomain: string): RequestListener {
  let isRunning = false;
  return (request, response) => {
    request.resume();
    const { method = "" } = request;
    const error =
      method !== "POST"
        ? methodNotAllowed(method, BACKUP_PATH, ["POST"])
        : isRunning
          ? backupRunning()
          : undefined;
    if (error !== undefined) return refuse(response, error, errorDomain);
    isRunning = true;
    void send(parts, response).finally(() => {
      isRunning = false;
    });
  };
}

/** Answers with an error. */
export function refuse(response: ServerResponse, error: ApiError, errorDomain: string): void {
  const body = errorJson(error, errorDomain);
  response
    .writeHead(error.httpStatus, {
      "content-type": JSON_TYPE,
      "content-length": body.length,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      ...error.headers,
    })
    .end(body);
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
