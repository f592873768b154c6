import { poll } from "../poll.js";
import type { Server } from "./server.js";

/** Waits until a server's log contains a text. @returns the log. */
export const untilLogged = ({ log }: Pick<Server, "log">, text: string): Promise<string> =>
  poll(log, (written) => written.includes(text));

export interface RequestLine {
  /** `http`, `grpc`, `grpc-web` or `connect`. */
  readonly protocol: string;
  readonly method: string;
  readonly operation: string;
  readonly status: number;
  readonly principal?: string;
}

/** A request's log line, found by the id in its response. */
export async function loggedRequest({ log }: Pick<Server, "log">, requestId: string): Promise<RequestLine> {
  const lineOf = (): string | undefined =>
    log()
      .split("\n")
      .find((line) => line.includes(`"requestId":"${requestId}"`));
  const line = await poll(lineOf, (found) => found !== undefined);
  if (line === undefined) throw new Error(`no log line has the id ${requestId}`);
  return JSON.parse(line) as RequestLine;
}
