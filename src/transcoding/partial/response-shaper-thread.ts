import { parentPort } from "node:worker_threads";
import { tagOf } from "../../api/encoded-response.js";
import { shapeBytes } from "./response-shape.js";
import type { FromShaper, ToShaper } from "./response-shaper.js";

if (parentPort === null) throw new Error("this module must run in a worker thread");
const port = parentPort;
const encoder = new TextEncoder();

port.on("message", ({ id, bytes, shape }: ToShaper) => {
  // A separate buffer can be transferred to the main thread.
  const shaped = encoder.encode(shapeBytes(bytes, shape));
  port.postMessage({ id, bytes: shaped, tag: tagOf(shaped) } satisfies FromShaper, [shaped.buffer]);
});
