import type { Readable } from "node:stream";

/** Collects a stream's text. @returns the text so far. */
export function textOf(stream: Readable): () => string {
  let text = "";
  stream.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  return () => text;
}
