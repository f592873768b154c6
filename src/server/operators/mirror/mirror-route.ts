import type { IncomingMessage, RequestListener } from "node:http";
import { ApiError } from "../../../api/api-error.js";
import { responseSignal } from "../../../http/response-signal.js";
import type { RequestedRound } from "../../../mirror/mirror-job.js";
import { countsOf, type RoundSummary } from "../../../mirror/round/round-summary.js";
import type { AppWalk } from "../../../mirror/round/walk-app.js";
import type { Mirror, Mirrors } from "../../messaging-data/mirrors.js";
import { refuse } from "../backup-route.js";
import { mirrorParameters, mirrorsNamed } from "./mirror-request.js";

/** Path of rounds of mirrors on the admin listener. */
export const MIRROR_PATH = "/mirror";

/** A line of the answer. The last one is `done`; without it, the answer was cut. */
export type MirrorLine =
  /** A round of a project begins. */
  | { readonly project: string; readonly apps: number }
  /** An app was read. */
  | ({
      readonly project: string;
      readonly appId: string;
      readonly pages: number;
      readonly problem?: string;
    } & ReturnType<typeof countsOf>)
  /** A round of a project has ended, and its entries are published. */
  | {
      readonly project: string;
      readonly summary: RoundSummary;
      readonly gaps: number;
      readonly problem?: string;
    }
  /** A round could not be done. */
  | { readonly project: string; readonly error: string }
  | { readonly done: true };

/** The selection of a round: all mirrored projects and apps unless they are named. */
interface Selection {
  readonly mirrors: readonly Mirror[];
  readonly appId: string | undefined;
}

/**
 * Reads the originals of mirrored projects at once, in response to a POST, one project after the other. The answer is a line of JSON for each step. The rounds end if the caller goes.
 */
export function mirrorRoute(mirrors: Mirrors, errorDomain: string): RequestListener {
  return (request, response) => {
    request.resume();
    let selection: Selection;
    try {
      selection = selectionOf(request, mirrors);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return refuse(response, error, errorDomain);
    }
    response.writeHead(200, { "content-type": "application/x-ndjson", "cache-control": "no-store" });
    response.flushHeaders();
    const signal = responseSignal(response);
    const tell = (line: MirrorLine): void => {
      if (!signal.aborted) response.write(`${JSON.stringify(line)}\n`);
    };
    void mirrorInTurn(selection, mirrors, tell, signal).finally(() => response.end());
  };
}

/** @throws ApiError if the request is refused. */
function selectionOf(request: IncomingMessage, { all }: Mirrors): Selection {
  const route = { path: MIRROR_PATH, method: "POST", names: ["project", "app"] };
  const parameters = mirrorParameters(request, route);
  return {
    mirrors: mirrorsNamed(all, parameters.get("project") ?? undefined),
    appId: parameters.get("app") ?? undefined,
  };
}

async function mirrorInTurn(
  { mirrors, appId }: Selection,
  { gaps }: Mirrors,
  tell: (line: MirrorLine) => void,
  signal: AbortSignal,
): Promise<void> {
  for (const { project, job } of mirrors) {
    const { id, number } = project;
    try {
      let summary = NOTHING;
      const round: RequestedRound = {
        appId,
        onBegin: (apps) => tell({ project: id, apps }),
        onWalked: (walk) => tell(lineOf(id, walk)),
        onEnd: (ended) => {
          summary = ended;
        },
      };
      const stopped = await job.runNow(round, signal);
      let missing = 0;
      for await (const ofApp of gaps.read(number, { appId })) missing += ofApp.length;
      tell({ project: id, summary, gaps: missing, ...(stopped && { problem: stopped.message }) });
    } catch (error) {
      if (signal.aborted) return;
      tell({ project: id, error: error instanceof Error ? error.message : String(error) });
    }
  }
  tell({ done: true });
}

const NOTHING: RoundSummary = { apps: 0, failed: 0, pages: 0, added: 0, changed: 0, unchanged: 0 };

function lineOf(project: string, walk: AppWalk): MirrorLine {
  const { appId, pages, fault } = walk;
  return { project, appId, pages, ...countsOf(walk), ...(fault && { problem: fault.message }) };
}
