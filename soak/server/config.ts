export const PRINCIPAL = "soak@example.com";

/** Projects of a soak. One project's load must not delay the others. */
export const PROJECTS = [
  { id: "soak-a", number: "500000000001" },
  { id: "soak-b", number: "500000000002" },
  { id: "soak-c", number: "500000000003" },
] as const;

/** The apps with app-attestation configurations in each project. */
export const APPS = ["1:5:ios:01", "1:5:ios:02", "1:5:ios:03"] as const;

/**
 * Configuration of a server under soak: the defaults, with less memory for the engine, which makes growth
 * visible.
 */
export const CONFIG = {
  projects: PROJECTS.map((project) => ({ ...project, apps: APPS.map((id) => ({ id })) })),
  access: [{ principal: PRINCIPAL, projects: PROJECTS.map(({ id }) => id), role: "editor" }],
  store: { memoryLimit: "160MB" },
};
