import { ApiError } from "../api/api-error.js";
import { Code } from "../gen/google/rpc/code_pb.js";
import { excerpt } from "../limits/excerpt.js";

/** Parsed resource name of an app-attestation configuration. */
export interface ConfigName {
  /** Project id or number (AIP-2510). */
  readonly project: string;
  readonly appId: string;
}

/** Description of the expected form, for violations. */
export const CONFIG_NAME_FORM = "must be projects/{project_number}/apps/{app_id}/appAttestConfig";

/** Parses a resource name. Returns `undefined` if the text is malformed. */
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

/** Formats the resource name for answers, with the project's number. */
export const configName = (projectNumber: string, appId: string): string =>
  `projects/${projectNumber}/apps/${appId}/appAttestConfig`;

/** Error for an app that is not registered (404). */
export const configNotFound = (name: string): ApiError =>
  new ApiError({
    code: Code.NOT_FOUND,
    reason: "RESOURCE_NOT_FOUND",
    message: `${excerpt(name)} does not exist: no such app is registered in the project.`,
    metadata: { resourceName: excerpt(name) },
  });
