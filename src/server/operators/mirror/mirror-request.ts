import type { IncomingMessage } from "node:http";
import { ApiError } from "../../../api/api-error.js";
import { methodNotAllowed } from "../../../http/route-errors.js";
import type { Mirror } from "../../messaging-data/mirrors.js";
import { notMirrored } from "./mirror-errors.js";

/**
 * Returns the parameters of a request about mirrors.
 *
 * @param route its path, its method and the names of its parameters.
 * @throws ApiError if the request is refused.
 */
export function mirrorParameters(
  request: IncomingMessage,
  route: { readonly path: string; readonly method: string; readonly names: readonly string[] },
): URLSearchParams {
  const { method = "", url = "" } = request;
  if (method !== route.method) throw methodNotAllowed(method, route.path, [route.method]);
  const { searchParams } = new URL(url, "http://localhost");
  const unknown = [...searchParams.keys()].find((name) => !route.names.includes(name));
  if (unknown !== undefined)
    throw ApiError.invalidArgument("UNKNOWN_PARAMETER", unknown, "is not a known parameter");
  return searchParams;
}

/**
 * Returns the mirrors of a project, or all of them.
 *
 * @param name id or number of the project; `undefined` for all.
 * @throws ApiError if there are none.
 */
export function mirrorsNamed(mirrors: readonly Mirror[], name: string | undefined): readonly Mirror[] {
  const named = mirrors.filter(
    ({ project: { id, number } }) => name === undefined || name === id || name === number,
  );
  if (named.length === 0) throw notMirrored(name);
  return named;
}
