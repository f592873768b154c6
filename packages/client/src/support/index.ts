// Helpers for outgoing requests, which the client and the server share.
export { NEWLINE, newlinesIn } from "./bytes.js";
export { type ReadBody, readBody, retryAfterMs } from "./responses.js";
export { serviceUrl } from "./service-url.js";
export { abortable, backoffMs, pause, withResolver } from "./waiting.js";
