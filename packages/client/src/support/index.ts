// Helpers for outgoing requests, for the client and the server.
export { readBody, retryAfterMs } from "./responses.js";
export { serviceUrl } from "./service-url.js";
export { abortable, backoffMs, pause } from "./waiting.js";
