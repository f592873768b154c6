import { SourceError } from "../source-error.js";

/**
 * Decodes UTF-8, without a byte order mark.
 *
 * @throws SourceError for other bytes.
 */
export async function* decoded(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let lines = 1;
  const decode = (...input: Parameters<typeof decoder.decode>): string => {
    try {
      return decoder.decode(...input);
    } catch (cause) {
      throw new SourceError(undefined, `is not UTF-8 at line ${lines} or soon after`, { cause });
    }
  };
  for await (const chunk of source) {
    const text = decode(chunk, { stream: true });
    yield text;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  }
  yield decode();
}
