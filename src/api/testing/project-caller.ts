import type { Project } from "../../model/names.js";
import type { ProjectCaller } from "../caller.js";

/** Creates a caller in one project, for handler tests. The principal's id is its name. */
export function projectCaller(project: Partial<Project> = {}, name = "caller@example.com"): ProjectCaller {
  return {
    kind: "project",
    budgetKey: name,
    networkOf: () => "192.0.2.1",
    principal: { name, issuer: "issuer", id: name },
    project: { id: "project", number: "1", ...project },
    recheckAccess: async () => {},
  };
}
