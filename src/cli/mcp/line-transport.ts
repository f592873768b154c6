import type { Readable, Writable } from "node:stream";
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  isSpecType,
  type JSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/server";
import { ByteCollector } from "../../limits/byte-buffers.js";
import { excerpt } from "../../limits/excerpt.js";
import { MAX_MCP_LINE_BYTES } from "../../limits/request-limits.js";

const NEWLINE = 0x0a;
/** Maximum time for responses when the input has ended, in milliseconds. A call to the server may never end. */
const MAX_LAST_MS = 60_000;
/** Error codes of JSON-RPC 2.0. */
const [PARSE_ERROR, INVALID_REQUEST] = [-32_700, -32_600];

/**
 * A transport with one message per line. Unlike the transport in the SDK, it responds to an invalid line with a
 * JSON-RPC error. It copies each byte of a long line at most twice.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #onTooLong: () => void;
  #line = new ByteCollector();
  /** Ids of requests without a response. */
  readonly #open = new Set<unknown>();
  #hasEnded = false;
  #isClosed = false;

  /** @param onTooLong called if a line is too long, before the transport closes. */
  constructor(input: Readable, output: Writable, onTooLong: () => void) {
    this.#input = input;
    this.#output = output;
    this.#onTooLong = onTooLong;
  }

  async start(): Promise<void> {
    this.#input.on("data", this.#onData);
    this.#input.on("error", this.#onError);
    this.#output.on("error", this.#onError);
    for (const event of ["end", "close"]) this.#input.on(event, this.#onEnd);
  }

  /** Resolves when the stream has accepted the message. */
  async send(message: JSONRPCMessage): Promise<void> {
    const line = `${JSON.stringify(inShort(message))}\n`;
    await new Promise<void>((resolve, reject) =>
      this.#output.write(line, (error) => (error ? reject(error) : resolve())),
    );
    if (isJSONRPCResponse(message)) this.#settle(message.id);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.off("data", this.#onData).pause();
    this.#line = new ByteCollector();
    this.onclose?.();
  }

  /** Closes after the responses to open requests, so that the output of `echo … | waybill mcp` is complete. */
  readonly #onEnd = (): void => {
    if (!this.#hasEnded) setTimeout(() => void this.close(), MAX_LAST_MS).unref();
    this.#hasEnded = true;
    if (this.#open.size === 0) void this.close();
  };

  #settle(id: unknown): void {
    this.#open.delete(id);
    if (this.#hasEnded) this.#onEnd();
  }

  readonly #onError = (error: Error): void => {
    this.onerror?.(error);
    void this.close();
  };

  readonly #onData = (chunk: Buffer): void => {
    let rest = chunk;
    for (;;) {
      const end = rest.indexOf(NEWLINE);
      this.#line.add(end < 0 ? rest : rest.subarray(0, end));
      if (this.#line.size > MAX_MCP_LINE_BYTES) {
        const most = MAX_MCP_LINE_BYTES / 1024 / 1024;
        this.#onTooLong();
        this.#onError(new Error(`a message on standard input is longer than ${most} MiB`));
        return;
      }
      if (end < 0) return;
      const line = this.#line.bytes().toString();
      this.#line = new ByteCollector();
      this.#receive(line);
      if (this.#isClosed) return;
      rest = rest.subarray(end + 1);
    }
  };

  #receive(line: string): void {
    if (line.trim() === "") return;
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      this.#reject(PARSE_ERROR, `Parse error: the line is not JSON: ${excerpt(line)}`);
      return;
    }
    if (isJSONRPCRequest(message) || isJSONRPCNotification(message) || isJSONRPCResponse(message)) {
      if (isJSONRPCRequest(message)) this.#open.add(message.id);
      this.onmessage?.(message);
      // A canceled request gets no response.
      if (isSpecType.CancelledNotification(message)) this.#settle(message.params.requestId);
      return;
    }
    this.#reject(INVALID_REQUEST, "Invalid request: the line is not a message of JSON-RPC 2.0", message);
  }

  #reject(code: number, message: string, request?: unknown): void {
    const id = typeof request === "object" && request !== null && "id" in request ? request.id : null;
    const isId = typeof id === "string" || typeof id === "number";
    const error = { jsonrpc: "2.0", id: isId ? id : null, error: { code, message } };
    this.#output.write(`${JSON.stringify(error)}\n`);
  }
}

/** Shortens an error message. The SDK's message would contain all validation issues as indented JSON. */
function inShort(message: JSONRPCMessage): JSONRPCMessage {
  if (!isJSONRPCErrorResponse(message)) return message;
  const [, what, json] = /^([^[]*): (\[\n[\s\S]*\])$/.exec(message.error.message) ?? [];
  if (json === undefined) return message;
  const issues = JSON.parse(json) as readonly { readonly path?: readonly PropertyKey[]; message: string }[];
  const problems = issues.map((issue) => `${issue.path?.join(".") ?? ""}: ${issue.message}`);
  return {
    ...message,
    error: { ...message.error, message: `${what}: ${excerpt(problems.join("; "), 500)}` },
  };
}
