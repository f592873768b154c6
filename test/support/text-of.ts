import type { Readable } from "node:stream";

/** Collects a stream's text. @returns the text so far. */
export function textOf(stream: Readable): () => string {
  let text = "";
  // Characters of several bytes may arrive in two chunks.
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  return () => text;
}
