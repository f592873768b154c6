import type { ServerHttp2Session, ServerHttp2Stream } from "node:http2";
import { MAX_ANSWERED_STREAM_MS, MAX_ANSWERED_STREAMS } from "../../limits/limits.js";

/**
 * Ends the streams of a connection whose answer is complete while their request is not, such as that of a refused import.
 * A client that soon comes to its end is let, as a reset of the stream might overtake the answer; one that goes on, or that
 * has many such streams, is told that nothing more is wanted (RFC 9113 §8.1).
 *
 * A stream that still has unread bytes does not end by being closed: it would keep its place among the streams that the
 * connection may have, and its bytes their place in the window that all of them share.
 */
export function endAnsweredStreams(session: ServerHttp2Session): void {
  /** The oldest first. */
  const answered = new Set<ServerHttp2Stream>();
  session.on("stream", (stream) => {
    stream.once("finish", () => {
      if (stream.destroyed || stream.readableEnded) return;
      stream.removeAllListeners("data").resume();
      const timer = setTimeout(() => stream.destroy(), MAX_ANSWERED_STREAM_MS);
      answered.add(stream);
      stream.once("close", () => {
        clearTimeout(timer);
        answered.delete(stream);
      });
      const [oldest] = answered;
      if (answered.size > MAX_ANSWERED_STREAMS) oldest?.destroy();
    });
  });
}
