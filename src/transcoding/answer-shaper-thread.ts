import { parentPort } from "node:worker_threads";
import { shapeBytes } from "./answer-shape.js";
import type { FromShaper, ToShaper } from "./answer-shaper.js";

if (parentPort === null) throw new Error("this module runs in a worker thread");
const port = parentPort;

port.on("message", ({ id, bytes, shape }: ToShaper) => {
  const shaped = new Uint8Array(shapeBytes(bytes, shape));
  port.postMessage({ id, bytes: shaped } satisfies FromShaper, [shaped.buffer]);
});
