import { escaped } from "../../limits/excerpt.js";
import type { Config } from "./config-schema.js";

type NamingProjects = Pick<Config, "access"> & {
  readonly messagingData: { readonly incidents: Pick<Config["messagingData"]["incidents"], "webhooks"> };
};

/**
 * Returns a line for each reference to an unknown project. It may be created later: the entry applies from then on.
 *
 * @param isKnown returns true for the ids and numbers of projects.
 */
export function unknownProjects(
  { access, messagingData }: NamingProjects,
  isKnown: (name: string) => boolean,
): readonly string[] {
  const { webhooks } = messagingData.incidents;
  const entries = [
    ...access.map(({ projects }, index) => ({ path: `access[${index}]`, projects })),
    ...webhooks.map(({ projects }, index) => ({
      path: `messagingData.incidents.webhooks[${index}]`,
      projects,
    })),
  ];
  return entries.flatMap(({ path, projects }) =>
    projects.flatMap((name, position) =>
      name === "*" || isKnown(name)
        ? []
        : escaped(
            `${path}.projects[${position}]: there is no project ${name}; the entry applies once it exists`,
          ),
    ),
  );
}
