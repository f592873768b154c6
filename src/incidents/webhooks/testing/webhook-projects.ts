import type { Project } from "../../../model/names.js";
import type { WebhookProjects } from "../due-messages.js";

/** Projects of a webhook that never change. */
export const fixedProjects = (projects: readonly Project[]): WebhookProjects => ({
  all: () => projects,
  find: (number) => projects.find((project) => project.number === number),
});
