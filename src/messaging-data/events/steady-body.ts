import type { Readable } from "node:stream";
import { requestTimeout } from "../../api/errors.js";

/** Minimum rate at which a body must arrive. */
export interface LeastRate {
  /** Minimum number of bytes in each {@link milliseconds} of waiting. */
  readonly bytes: number;
  readonly milliseconds: number;
}

/**
 * Yields the chunks of a body. A body that arrives too slowly fails with `REQUEST_TIMEOUT`; only the time
 * that the server spends waiting for it counts.
 */
export async function* steadyBody(
  body: Readable,
  { bytes, milliseconds }: LeastRate,
): AsyncGenerator<Buffer> {
  let arrived = 0;
  let left = milliseconds;
  let waitingSince = 0;
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    waitingSince = performance.now();
    timer = setTimeout(judge, left);
  };
  const judge = (): void => {
    if (arrived < bytes) {
      body.destroy(requestTimeout());
      return;
    }
    arrived = 0;
    left = milliseconds;
    wait();
  };
  try {
    wait();
    for await (const chunk of body as AsyncIterable<Buffer>) {
      clearTimeout(timer);
      left = Math.max(0, left - (performance.now() - waitingSince));
      arrived += chunk.length;
      yield chunk;
      wait();
    }
  } finally {
    clearTimeout(timer);
  }
}
