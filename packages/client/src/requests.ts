// For programs that send requests themselves: calls as data, and errors in responses.
export { urlOf } from "./calls/call.js";
export { listDeliveryDataCall } from "./calls/messaging-data-calls.js";
export { cutShort, errorOf } from "./failed-answers.js";
export { batchesOf } from "./import/batches.js";
