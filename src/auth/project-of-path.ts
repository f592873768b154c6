import { ApiError } from "../api/api-error.js";
import { decodeSegment } from "../http/percent-decoding.js";

/**
 * Returns the project in the path of a call: the segment after `projects/`, decoded on its own.
 *
 * @param captures raw text of each path variable, still percent-encoded, by field path (`parent`).
 * @throws ApiError `MALFORMED_PATH` if the segment is not percent-encoded UTF-8.
 */
export function projectOfPath(captures: ReadonlyMap<string, string>): string {
  for (const [field, text] of captures) {
    const [collection, project] = text.split("/");
    if (collection !== "projects" || project === undefined) continue;
    const name = decodeSegment(project);
    if (name !== undefined) return name;
    throw ApiError.invalidArgument("MALFORMED_PATH", field, "its project is not percent-encoded UTF-8");
  }
  throw new Error("the route names no project");
}
