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
  for (let before: number | undefined; ; ) {
    const query = { ...selection, ...(before !== undefined && { before }), limit: ANSWERS_AT_A_TIME };
    const read = await answers.readAnswers(query);
    const isLast = read.length < ANSWERS_AT_A_TIME;
    const oldest = read.at(-1)?.fetchedAt ?? 0;
    // Others of the same millisecond may follow: they are read together with these.
    const whole = read.filter(({ fetchedAt }) => isLast || fetchedAt > oldest);
    const given = whole.length === 0 ? read : whole;
    for (const answer of given) yield `${JSON.stringify(lineOf(answer))}\n`;
    if (isLast) break;
    before = whole.length === 0 ? oldest : oldest + 1;
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
