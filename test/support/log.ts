import { poll, type Server } from "./waybill.js";

/** What tests look at of the line that tells of a request. */
export interface RequestLine {
  /** `http`, `grpc`, `grpc-web` or `connect`. */
  readonly protocol: string;
  readonly method: string;
  readonly operation: string;
  readonly status: number;
  readonly principal?: string;
}

/** The line of the log that tells of a request, by the id that its answer had. */
export async function loggedRequest({ log }: Pick<Server, "log">, requestId: string): Promise<RequestLine> {
  const lineOf = (): string | undefined =>
    log()
      .split("\n")
      .find((line) => line.includes(`"requestId":"${requestId}"`));
  const line = await poll(
    async () => lineOf(),
    (found) => found !== undefined,
  );
  if (line === undefined) throw new Error(`the log tells nothing of ${requestId}`);
  return JSON.parse(line) as RequestLine;
}
