import { abortable } from "@waybill/client/support";
import { Agent, request } from "undici";
import { inRequest } from "../telemetry/tracing.js";

/** A response with its body as received, which may be compressed. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: AsyncIterable<Uint8Array>;
}

/** Connections of {@link receive}. */
const agent = new Agent();

/**
 * Sends a GET request, and does not decompress its response. Does not follow redirects. For a page of delivery data, this
 * needs less than a third of the processor time of `fetch`, which decompresses bodies in small pieces.
 *
 * In a trace, the request continues the trace.
 */
export function receive(url: URL, headers: Headers, signal: AbortSignal): Promise<ReceivedResponse> {
  return inRequest("GET", url, async (traceHeaders) => {
    const sent = { ...Object.fromEntries(headers), ...traceHeaders };
    // While it connects, undici does not notice an abort.
    const response = await abortable(request(url, { dispatcher: agent, headers: sent, signal }), signal);
    const received = new Headers();
    for (const [name, value = []] of Object.entries(response.headers)) {
      for (const one of [value].flat()) received.append(name, one);
    }
    return { status: response.statusCode, headers: received, body: response.body };
  });
}
