import type { IncomingMessage, RequestListener } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ApiError } from "../../../api/api-error.js";
import type { KeptAnswer, MirrorStore } from "../../../store/mirror-store.js";
import type { Mirrors } from "../../messaging-data/mirrors.js";
import { refuse } from "../backup-route.js";
import { mirrorParameters, mirrorsNamed } from "./mirror-request.js";

/** Path of kept answers on the admin listener. */
export const ANSWERS_PATH = "/mirror/answers";

/** A line with an answer of an original, as it came. The last line is `done`; without it, the list was cut. */
export type AnswerLine =
  | {
      /** RFC 3339. */
      readonly fetchedAt: string;
      readonly url: string;
      /** Its body as text. */
      readonly body?: string;
      /** Its body in base64, if it is no UTF-8. */
      readonly bodyBase64?: string;
    }
  | { readonly done: true };

/** Answers that are read at a time: each may have many megabytes. */
const ANSWERS_AT_A_TIME = 4;

/** Gives the answers about an app that a mirror has kept, the newest first, in response to a GET. */
export function answersRoute({ all, answers }: Mirrors, errorDomain: string): RequestListener {
  return (request, response) => {
    request.resume();
    let selection: { readonly project: string; readonly appId: string };
    try {
      selection = selectionOf(request, all);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return refuse(response, error, errorDomain);
    }
    response.writeHead(200, { "content-type": "application/x-ndjson", "cache-control": "no-store" });
    // A failure cuts the list, which its reader notices: the last line is missing.
    pipeline(Readable.from(linesOf(answers, selection)), response).catch(() => response.destroy());
  };
}

/** @throws ApiError if the request is refused. */
function selectionOf(request: IncomingMessage, all: Mirrors["all"]) {
  const route = { path: ANSWERS_PATH, method: "GET", names: ["project", "app"] };
  const parameters = mirrorParameters(request, route);
  const [project, appId] = route.names.map((name) => {
    const value = parameters.get(name);
    if (value) return value;
    throw ApiError.invalidArgument("PARAMETER_MISSING", name, "is required");
  });
  const [mirror] = mirrorsNamed(all, project);
  return { project: mirror?.project.number ?? "", appId: appId ?? "" };
}

async function* linesOf(
  answers: Pick<MirrorStore, "readAnswers">,
  selection: { readonly project: string; readonly appId: string },
): AsyncGenerator<string> {
  for (let place = { skip: 0 } as { before?: number; skip: number }; ; ) {
    const read = await answers.readAnswers({ ...selection, ...place, limit: ANSWERS_AT_A_TIME });
    for (const answer of read) yield `${JSON.stringify(lineOf(answer))}\n`;
    if (read.length < ANSWERS_AT_A_TIME) break;
    // Any number may have come in the same millisecond: the clock of a mirror can be stopped.
    const oldest = read.at(-1)?.fetchedAt ?? 0;
    const ofOldest = read.filter(({ fetchedAt }) => fetchedAt === oldest).length;
    const skip = place.before === oldest + 1 ? place.skip + ofOldest : ofOldest;
    place = { before: oldest + 1, skip };
  }
  yield `${JSON.stringify({ done: true } satisfies AnswerLine)}\n`;
}

function lineOf({ fetchedAt, url, body }: KeptAnswer): AnswerLine {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const text = bytes.toString();
  const isText = Buffer.from(text).equals(bytes);
  return {
    fetchedAt: new Date(fetchedAt).toISOString(),
    url,
    ...(isText ? { body: text } : { bodyBase64: bytes.toString("base64") }),
  };
}
