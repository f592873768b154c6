import { once } from "node:events";
import { constants } from "node:http2";
import { connect as connectTcp, type Socket } from "node:net";
import type { Random } from "../../src/simulator/random.js";
import { importInto } from "../../test/support/data/import.js";
import { openSession } from "../../test/support/http/http2.js";
import { PROJECTS } from "../server/config.js";
import { oneOf } from "./pacing.js";
import { parentOf, type World } from "./world.js";

/** The app of all events in incomplete requests. None of them may ever be listed. */
export const NEVER = "never";
/** Events of a request that is cut short. */
const EVENTS = 400;

type Rudeness = (world: World, project: string, random: Random) => Promise<void>;

/** Actions of clients that lose their connection or stop early. Other clients must not be affected. */
const RUDENESS: Readonly<Record<string, Rudeness>> = {
  "body cut short": (world, project, random) => {
    const body = lines();
    const length = `content-length: ${body.length}`;
    return cutBody(world, project, length, body.subarray(0, 1 + random.below(body.length - 1)), random);
  },
  // All lines are there, but not the final chunk.
  "body without its end": (world, project, random) => {
    const body = lines();
    const chunk = Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from("\r\n")]);
    return cutBody(world, project, "transfer-encoding: chunked", chunk, random);
  },
  "stream reset within its body": async ({ target }, project) => {
    const session = await openSession(target.messagingDataUrl);
    const body = lines();
    const stream = session.request({
      ":method": "POST",
      ":path": importInto(project),
      "content-type": "application/x-ndjson",
      // This client half-closes a stream before it resets it, which would make the body complete.
      "content-length": body.length + 1,
      authorization: `Bearer ${target.token}`,
    });
    stream.on("error", () => {});
    await new Promise((resolve) => stream.write(body, resolve));
    const closed = once(stream, "close");
    stream.close(constants.NGHTTP2_CANCEL);
    await closed;
    session.destroy();
  },
  "connection reset within the response": async ({ target, settled }, project, random) => {
    const [app = NEVER] = settled.length > 0 ? [...oneOf(settled, random).entries.keys()] : [];
    const socket = await opened(target.messagingDataUrl);
    socket.write(
      head("GET", `/v1beta1/${parentOf(project, app)}/deliveryData?pageSize=10000`, target.token, ""),
    );
    await Promise.race([once(socket, "data"), once(socket, "close")]);
    socket.resetAndDestroy();
  },
};

/** Performs a random action. Ignores errors, because the server may be gone. */
export async function beRude(world: World, random: Random): Promise<void> {
  const [kind, rudeness] = oneOf(Object.entries(RUDENESS), random);
  await rudeness(world, oneOf(PROJECTS, random).id, random).catch(() => {});
  world.tally.add("rude clients", kind);
}

async function cutBody(
  { target }: World,
  project: string,
  framing: string,
  part: Buffer,
  random: Random,
): Promise<void> {
  const socket = await opened(target.messagingDataUrl);
  const type = "content-type: application/x-ndjson";
  socket.write(head("POST", importInto(project), target.token, `${type}\r\n${framing}\r\n`));
  await new Promise((resolve) => socket.write(part, resolve));
  if (random.chance(0.5)) socket.resetAndDestroy();
  else socket.destroy();
}

async function opened(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connectTcp(Number(port), hostname);
  socket.on("error", () => {});
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("close", () => reject(new Error("the server is gone")));
  });
  return socket;
}

const head = (method: string, target: string, token: string, headers: string): string =>
  `${method} ${target} HTTP/1.1\r\nhost: soak\r\nauthorization: Bearer ${token}\r\n${headers}\r\n`;

let messages = 0;

function lines(): Buffer {
  const events = Array.from({ length: EVENTS }, () => {
    messages += 1;
    const event = { appId: NEVER, messageId: String(messages), eventTime: "2025-06-02T12:00:00Z" };
    return `${JSON.stringify({ ...event, eventType: "ACCEPTED", usageReportingOptIn: true })}\n`;
  });
  return Buffer.from(events.join(""));
}
