// For programs that send requests themselves: the requests of calls as data, and the errors in responses.
export { urlOf } from "./calls/call.js";
export { listDeliveryDataCall } from "./calls/messaging-data-calls.js";
export { cutShort, errorOf } from "./failed-answers.js";
export { batchesOf } from "./import/batches.js";
