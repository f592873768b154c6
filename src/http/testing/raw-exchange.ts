import { once } from "node:events";
import { connect } from "node:net";

export interface RawResponse {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends raw bytes, and reads responses until the server closes the connection. */
export async function rawExchange(url: string, ...packets: (string | Buffer)[]): Promise<RawResponse[]> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk));
  // A server may close the connection before it has read everything. The test uses the data that it sent until then.
  socket.on("error", () => {});
  const closed = once(socket, "close");
  for (const packet of packets) socket.write(packet);
  await closed;
  return parseResponses(Buffer.concat(chunks).toString());
}

function parseResponses(text: string): RawResponse[] {
  const responses: RawResponse[] = [];
  for (let rest = text; rest !== ""; ) {
    const [head = "", ...others] = rest.split("\r\n\r\n");
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
    const tail = others.join("\r\n\r\n");
    const status = Number(head.split(" ")[1]);
    responses.push({ status, head: head.toLowerCase(), body: tail.slice(0, length) });
    rest = tail.slice(length);
  }
  return responses;
}
