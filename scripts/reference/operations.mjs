/** Returns each service's title, and the head and rows of a table with permissions for each of its methods. */
export async function operations() {
  const [{ SERVICES }, { Role, Scope, authorization }, { getOption }, { http }] = await Promise.all([
    import("../../dist/server/config/services.js"),
    import("../../dist/gen/waybill/auth/v1/authorization_pb.js"),
    import("@bufbuild/protobuf"),
    import("../../dist/gen/google/api/annotations_pb.js"),
  ]);
  const lower = (name) => name.toLowerCase().replaceAll("_", "-");
  const head = ["Method", "HTTP", "Scope", "Role on the project"];
  return Object.values(SERVICES).map(({ title, contract }) => {
    const rows = contract.methods.map((method) => {
      const { anyScope, appCaller, role, everyProject, allProjects } = getOption(method, authorization);
      const { pattern } = getOption(method, http);
      const scopes = appCaller
        ? "no access token"
        : anyScope.map((scope) => `\`${lower(Scope[scope])}\``).join(" or ");
      const path = pattern.value.replace(/\{\w+(?:\.\w+)*=(.*?)\}/g, "$1");
      return [
        `\`${method.name}\``,
        `\`${pattern.case.toUpperCase()} ${path}\``,
        scopes,
        roleOf({ role: lower(Role[role]), everyProject, allProjects }),
      ];
    });
    return { title, rows: [head, ...rows] };
  });
}

/** Describes the required role. */
function roleOf({ role, everyProject, allProjects }) {
  if (everyProject) return `none; lists projects with at least ${role}`;
  if (allProjects) return `${role} of all projects`;
  return role === "role-unspecified" ? "none" : role;
}
