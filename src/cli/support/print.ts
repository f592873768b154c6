import { pipeline } from "node:stream/promises";

/**
 * Writes texts to standard output as fast as they are read. A reader that stops early, such as `head`, is not
 * an error; no further texts are requested then.
 */
export async function print(texts: AsyncIterable<string> | Iterable<string>): Promise<void> {
  try {
    await pipeline(texts, process.stdout, { end: false });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPIPE")) throw error;
  }
}
