import type { ServerHttp2Session, ServerHttp2Stream } from "node:http2";
import { MAX_ANSWERED_STREAM_MS, MAX_ANSWERED_STREAMS } from "../../limits/limits.js";

/**
 * Ends streams whose answer is complete but whose request is not, such as a refused import. A client that
 * ends its request soon is left alone, because a reset could overtake the answer. A request that goes on too
 * long, or the oldest of too many such streams, is cancelled (RFC 9113 §8.1).
 *
 * Closing a stream with unread bytes does not end it: it would keep counting against the connection's stream
 * limit, and its bytes would keep filling the connection's flow-control window.
 */
export function endAnsweredStreams(session: ServerHttp2Session): void {
  /** Oldest first. */
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
