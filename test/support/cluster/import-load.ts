import { setTimeout as sleep } from "node:timers/promises";
import type { Traffic } from "../../../soak/expected/traffic.js";
import { postEvents } from "../data/import.js";
import { poll } from "../poll.js";
import type { Server } from "../servers/server.js";

const CLIENTS = 3;
/** Pause before a request is repeated that was not acknowledged, in milliseconds. */
const PAUSE_MS = 20;

/** An import by several clients at once, which repeat each request until it is acknowledged. */
export interface ImportLoad {
  /** Resolves when another share of all requests is acknowledged, such as 0.25 for a quarter. */
  proceeds(share: number): Promise<void>;
  /** Resolves when all requests are acknowledged. */
  readonly done: Promise<void>;
}

/** Imports traffic while failures are injected. */
export function startImports(
  target: Pick<Server, "messagingDataUrl">,
  token: string,
  { project, batches }: Traffic,
): ImportLoad {
  const waiting = [...batches];
  let acknowledged = 0;
  const importAll = async (): Promise<void> => {
    for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
      const { bytes } = batch;
      while (!(await isAcknowledged(postEvents(target, token, bytes, { project })))) await sleep(PAUSE_MS);
      acknowledged += 1;
    }
  };
  return {
    proceeds: async (share) => {
      const goal = Math.min(acknowledged + share * batches.length, batches.length);
      await poll(() => acknowledged >= goal);
    },
    done: Promise.all(Array.from({ length: CLIENTS }, importAll)).then(() => {}),
  };
}

/** Imports traffic while failures are injected. */
async function isAcknowledged(response: ReturnType<typeof postEvents>): Promise<boolean> {
  const { status, text } = await response.catch(() => ({ status: 0, text: "" }));
  if (status >= 400 && status < 500) throw new Error(text);
  return status === 200;
}
