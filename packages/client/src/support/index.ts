// What outgoing requests need, of the client and of the server.
export { abortable, pause } from "./abortable.js";
export { serviceUrl } from "./service-url.js";
