// For programs that send requests themselves: creates calls as data, and parses errors in responses.
export { urlOf } from "./calls/call.js";
export { listDeliveryDataCall } from "./calls/messaging-data-calls.js";
export { cutShort, errorOf } from "./failed-responses.js";
export { batchesOf } from "./import/batches.js";
