import { PassThrough } from "node:stream";
import { ApiError } from "../../api/api-error.js";
import type { PlainResponse, PlainRoute } from "../../api/plain-route.js";
import { Code } from "../../gen/google/rpc/code_pb.js";
import type { MirrorGaps } from "../../mirror/gaps/mirror-gap.js";
import type { RequestedRound } from "../../mirror/mirror-job.js";
import { type AppWalk, countsOf, type RoundSummary } from "../../mirror/round/walk-app.js";
import { at } from "../../model/collections.js";
import type { MirrorStore, StoredResponse } from "../../store/mirror-store.js";
import type { Mirror, Mirrors } from "../messaging-data/mirrors.js";
import { MIRROR_PATH } from "./admin-access.js";

/**
 * A line of the response with the progress of mirror rounds. If the last line is not `done`, the response is
 * incomplete.
 */
export type MirrorLine =
  /** A project's round starts. */
  | { readonly project: string; readonly apps: number }
  /** An app was read. */
  | ({
      readonly project: string;
      readonly appId: string;
      readonly pages: number;
      readonly problem?: string;
    } & ReturnType<typeof countsOf>)
  /** A project's round has ended, and its entries are published. */
  | {
      readonly project: string;
      readonly summary: RoundSummary;
      readonly gaps: number;
      readonly problem?: string;
    }
  /** A round has failed. */
  | { readonly project: string; readonly error: string }
  | { readonly done: true };

/** A line with an upstream response as received. If the last line is not `done`, the list is incomplete. */
export type ResponseLine =
  | {
      /** Time of receipt in RFC 3339. */
      readonly fetchedAt: string;
      readonly url: string;
      /** The response body as text. */
      readonly body?: string;
      /** The response body in base64, if it is not UTF-8. */
      readonly bodyBase64?: string;
    }
  | { readonly done: true };

/** Number of responses to read at a time. A response may have several megabytes. */
const RESPONSES_AT_A_TIME = 4;

export const mirrorRoutes = (mirrors: Mirrors): PlainRoute[] => [
  {
    httpMethod: "POST",
    path: MIRROR_PATH,
    respond: ({ query, signal }) => {
      const { project, appId } = parametersOf(query);
      return ofLines(roundLines({ mirrors: mirrorsNamed(mirrors.all, project), appId }, mirrors, signal));
    },
  },
  {
    httpMethod: "GET",
    path: `${MIRROR_PATH}/responses`,
    respond: ({ query }) => {
      const parameters = parametersOf(query);
      const name = required("project", parameters.project);
      const appId = required("app", parameters.appId);
      const [{ project }] = mirrorsNamed(mirrors.all, name);
      return ofLines(responseLines(mirrors.responses, { project: project.number, appId }));
    },
  },
];

const ofLines = (pieces: AsyncIterable<Uint8Array>): PlainResponse => ({
  body: { contentType: "application/x-ndjson", pieces },
  headers: { "cache-control": "no-store" },
});

const encoded = (line: MirrorLine | ResponseLine): Buffer => Buffer.from(`${JSON.stringify(line)}\n`);

/** Reads the query parameters. @throws ApiError if there are parameters other than `project` and `app`. */
function parametersOf(query: string): {
  readonly project: string | undefined;
  readonly appId: string | undefined;
} {
  const parameters = new URLSearchParams(query);
  const unknown = [...parameters.keys()].find((name) => name !== "project" && name !== "app");
  if (unknown !== undefined)
    throw ApiError.invalidArgument("UNKNOWN_PARAMETER", unknown, "is not a known parameter");
  return { project: parameters.get("project") ?? undefined, appId: parameters.get("app") ?? undefined };
}

/** Returns a parameter value. @throws ApiError if the value is omitted or empty. */
function required(name: string, value: string | undefined): string {
  if (value) return value;
  throw ApiError.invalidArgument("PARAMETER_MISSING", name, "is required");
}

/**
 * Returns the mirrors of one project or of all projects.
 *
 * @param name project id or number; `undefined` for all projects.
 * @throws ApiError if there are no such mirrors.
 */
function mirrorsNamed(
  mirrors: readonly Mirror[],
  name: string | undefined,
): readonly [Mirror, ...(readonly Mirror[])] {
  const [first, ...others] = mirrors.filter(
    ({ project: { id, number } }) => name === undefined || name === id || name === number,
  );
  if (first === undefined) throw notMirrored(name);
  return [first, ...others];
}

/** The project does not exist or is not mirrored (404). */
const notMirrored = (project: string | undefined): ApiError =>
  new ApiError({
    code: Code.NOT_FOUND,
    reason: "PROJECT_NOT_MIRRORED",
    message:
      project === undefined
        ? "This server mirrors no project: set projects[].deliveryData.source to mirror."
        : "This server mirrors no project of this name: set projects[].deliveryData.source to mirror.",
    ...(project !== undefined && { metadata: { project } }),
  });

/** Projects and apps to read in a round. By default, all mirrored projects and apps. */
interface Selection {
  readonly mirrors: readonly Mirror[];
  readonly appId: string | undefined;
}

/** Runs a round of each project, one by one, and yields a line for each step. Stops if the client disconnects. */
function roundLines(selection: Selection, { gaps }: Mirrors, signal: AbortSignal): AsyncIterable<Uint8Array> {
  const lines = new PassThrough();
  const write = (line: MirrorLine): void => {
    if (!signal.aborted) lines.write(encoded(line));
  };
  void runRounds(selection, gaps, write, signal).finally(() => lines.end());
  return lines;
}

async function runRounds(
  { mirrors, appId }: Selection,
  gaps: MirrorGaps,
  write: (line: MirrorLine) => void,
  signal: AbortSignal,
): Promise<void> {
  for (const { project, job } of mirrors) {
    const { id, number } = project;
    try {
      let summary = NOTHING;
      const round: RequestedRound = {
        appId,
        onBegin: (apps) => write({ project: id, apps }),
        onWalked: (walk) => write(walkLine(id, walk)),
        onEnd: (ended) => {
          summary = ended;
        },
      };
      const stopped = await job.runNow(round, signal);
      let missing = 0;
      for await (const ofApp of gaps.read(number, { appId })) missing += ofApp.length;
      write({ project: id, summary, gaps: missing, ...(stopped && { problem: stopped.message }) });
    } catch (error) {
      if (signal.aborted) return;
      write({ project: id, error: error instanceof Error ? error.message : String(error) });
    }
  }
  write({ done: true });
}

const NOTHING: RoundSummary = { apps: 0, failed: 0, pages: 0, added: 0, changed: 0, unchanged: 0 };

function walkLine(project: string, walk: AppWalk): MirrorLine {
  const { appId, pages, error } = walk;
  return { project, appId, pages, ...countsOf(walk), ...(error && { problem: error.message }) };
}

async function* responseLines(
  responses: Pick<MirrorStore, "readResponses">,
  selection: { readonly project: string; readonly appId: string },
): AsyncGenerator<Uint8Array> {
  for (let place = { skip: 0 } as { before?: number; skip: number }; ; ) {
    const read = await responses.readResponses({ ...selection, ...place, limit: RESPONSES_AT_A_TIME });
    for (const response of read) yield encoded(responseLine(response));
    if (read.length < RESPONSES_AT_A_TIME) break;
    // A mirror's clock can stand still, so that any number of responses may have the same time.
    const oldest = at(read, read.length - 1).fetchedAt;
    const ofOldest = read.filter(({ fetchedAt }) => fetchedAt === oldest).length;
    const skip = place.before === oldest + 1 ? place.skip + ofOldest : ofOldest;
    place = { before: oldest + 1, skip };
  }
  yield encoded({ done: true });
}

function responseLine({ fetchedAt, url, body }: StoredResponse): ResponseLine {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const text = bytes.toString();
  const isText = Buffer.from(text).equals(bytes);
  return {
    fetchedAt: new Date(fetchedAt).toISOString(),
    url,
    ...(isText ? { body: text } : { bodyBase64: bytes.toString("base64") }),
  };
}
