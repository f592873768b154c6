import { ApiError } from "../api/api-error.js";
import { Code } from "../gen/google/rpc/code_pb.js";
import { excerpt } from "../limits/excerpt.js";

/** The parts of the resource name of an app-attestation configuration. */
export interface ConfigName {
  /** Id or number (AIP-2510). */
  readonly project: string;
  readonly appId: string;
}

/** What a resource name has to look like, for whoever wrote another. */
export const CONFIG_NAME_FORM = "must be projects/{project_number}/apps/{app_id}/appAttestConfig";

/** Reads a resource name; undefined if it is none. */
export function parseConfigName(text: string): ConfigName | undefined {
  const [projects, project = "", apps, appId = "", config, ...more] = text.split("/");
  const isName =
    projects === "projects" &&
    project !== "" &&
    apps === "apps" &&
    appId !== "" &&
    config === "appAttestConfig" &&
    more.length === 0;
  return isName ? { project, appId } : undefined;
}

/**
 * Reads the resource name that a field of a request must be.
 *
 * @throws ApiError `INVALID_ARGUMENT` that names the field. By HTTP the route sees to the form.
 */
export function requireConfigName(field: string, text: string): ConfigName {
  const name = parseConfigName(text);
  if (name === undefined) throw ApiError.invalidArgument("INVALID_RESOURCE_NAME", field, CONFIG_NAME_FORM);
  return name;
}

/** The resource name as answers have it, with the project's number. */
export const configName = (projectNumber: string, appId: string): string =>
  `projects/${projectNumber}/apps/${appId}/appAttestConfig`;

/** The app is not registered (404). */
export const configNotFound = (name: string): ApiError =>
  new ApiError({
    code: Code.NOT_FOUND,
    reason: "RESOURCE_NOT_FOUND",
    message: `${excerpt(name)} does not exist: no such app is registered in the project.`,
    metadata: { resourceName: excerpt(name) },
  });
