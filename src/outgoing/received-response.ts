import { abortable } from "@waybill/client/support";
import { Agent, type Dispatcher, request } from "undici";
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
    return { status: response.statusCode, headers: headersOf(response.headers), body: response.body };
  });
}

/** Converts the headers of undici's responses. */
export function headersOf(received: Dispatcher.ResponseData["headers"]): Headers {
  const headers = new Headers();
  for (const [name, value = []] of Object.entries(received)) {
    for (const one of [value].flat()) headers.append(name, one);
  }
  return headers;
}
