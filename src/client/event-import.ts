import { setTimeout as sleep } from "node:timers/promises";
import { type Batch, batchesOf } from "./batches.js";

/** Where events go. */
export interface ImportTarget {
  /** Base address of a messaging-data service, such as `http://127.0.0.1:8081`. */
  readonly server: string;
  /** Id or number of the project. */
  readonly project: string;
  /** Access token. */
  readonly token: string;
  /** Bytes after which a request ends with its line; 16 MiB if it is left out. */
  readonly batchBytes?: number;
}

/** What became of the events so far. */
export interface ImportProgress {
  readonly importedCount: number;
  readonly optedOutCount: number;
  /** Bytes of NDJSON that the server has acknowledged. */
  readonly bytes: number;
}

/** The server refused some events, or could not be reached; what it had acknowledged before is stored. */
export class EventImportError extends Error {
  override readonly name = "EventImportError";
}

/** Bytes of a request unless told otherwise. Larger ones make each failure dearer, smaller ones each success. */
const BATCH_BYTES = 16 * 1024 * 1024;
/** Statuses of servers, and of gateways before them, that may answer otherwise later. */
const TRANSIENT = new Set([429, 502, 503, 504]);
const ATTEMPTS = 6;
const FIRST_PAUSE = 500;

interface ErrorBody {
  readonly error?: {
    readonly message?: string;
    readonly details?: readonly { readonly fieldViolations?: readonly Violation[] }[];
  };
}

interface Violation {
  readonly field: string;
  readonly description: string;
}

/**
 * Imports a stream of NDJSON events in requests of whole lines. A request that the server could not take at the moment
 * is sent again; that is safe, as events that are stored already change nothing.
 *
 * @param onProgress told after each acknowledged request.
 * @throws EventImportError naming the lines that are wrong by their number in the stream, or why there is no answer.
 */
export async function importEvents(
  target: ImportTarget,
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  onProgress: (progress: ImportProgress) => void = () => {},
): Promise<ImportProgress> {
  const url = new URL(
    `v1beta1/projects/${encodeURIComponent(target.project)}/messageEvents:import`,
    target.server.endsWith("/") ? target.server : `${target.server}/`,
  );
  let progress: ImportProgress = { importedCount: 0, optedOutCount: 0, bytes: 0 };
  for await (const batch of readAhead(batchesOf(source, target.batchBytes ?? BATCH_BYTES))) {
    const answer = await send(url, target.token, batch);
    progress = {
      importedCount: progress.importedCount + Number(answer.importedCount ?? 0),
      optedOutCount: progress.optedOutCount + Number(answer.optedOutCount ?? 0),
      bytes: progress.bytes + batch.bytes.length,
    };
    onProgress(progress);
  }
  return progress;
}

/** Makes each item while the one before is in use. */
async function* readAhead<T>(items: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = items.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = items.next();
      // Whoever asks for it hears of its failure; until then it must not count as unhandled.
      next.catch(() => {});
      yield value;
    }
  } finally {
    await items.return(undefined);
  }
}

async function send(
  url: URL,
  token: string,
  batch: Batch,
): Promise<{ importedCount?: string; optedOutCount?: string }> {
  for (let attempt = 1; ; attempt++) {
    let failure: string;
    let pause = FIRST_PAUSE * 2 ** (attempt - 1);
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson" },
        body: batch.bytes,
      });
      const body = parseJson(await response.text());
      if (response.ok && body !== undefined)
        return body as { importedCount?: string; optedOutCount?: string };
      failure =
        describe(body as ErrorBody | undefined, batch.firstLine) ??
        `${url.origin} answered ${response.status} without a reason: is it a messaging-data service?`;
      if (!TRANSIENT.has(response.status)) throw new EventImportError(failure);
      pause = Math.max(pause, 1000 * (Number(response.headers.get("retry-after")) || 0));
    } catch (error) {
      if (error instanceof EventImportError) throw error;
      failure = `${url.origin} cannot be reached: ${reasonOf(error)}`;
    }
    if (attempt === ATTEMPTS) throw new EventImportError(failure);
    await sleep(pause);
  }
}

/** The server's message and the first violations, with line numbers of the stream instead of the request. */
function describe(body: ErrorBody | undefined, firstLine: number): string | undefined {
  const error = body?.error;
  const violations = error?.details?.flatMap(({ fieldViolations }) => fieldViolations ?? []) ?? [];
  if (violations.length === 0) return error?.message;
  const lines = violations.map(({ field, description }) => {
    const place = field.replace(
      /^lines\[(\d+)\]\.?/,
      (_, line: string) => `line ${Number(line) + firstLine - 1}: `,
    );
    return `${place}${description}`;
  });
  return [...lines.slice(0, 10), ...(lines.length > 10 ? [`and ${lines.length - 10} more`] : [])].join("\n");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
