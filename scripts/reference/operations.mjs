/** Returns the head and rows of a table with permissions for each method. */
export async function operations() {
  const [{ SERVICES }, { Role, Scope, authorization }, { getOption }, { http }] = await Promise.all([
    import("../../dist/server/config/services.js"),
    import("../../dist/gen/waybill/auth/v1/authorization_pb.js"),
    import("@bufbuild/protobuf"),
    import("../../dist/gen/google/api/annotations_pb.js"),
  ]);
  const lower = (name) => name.toLowerCase().replaceAll("_", "-");
  const rows = Object.values(SERVICES).flatMap(({ contract }) =>
    contract.methods.map((method) => {
      const { anyScope, role, everyProject } = getOption(method, authorization);
      const { pattern } = getOption(method, http);
      const scopes = anyScope.map((scope) => `\`${lower(Scope[scope])}\``).join(" or ");
      const path = pattern.value.replace(/\{\w+(?:\.\w+)*=(.*?)\}/g, "$1");
      return [
        `\`${method.name}\``,
        `\`${pattern.case.toUpperCase()} ${path}\``,
        scopes,
        roleOf({ role: lower(Role[role]), everyProject }),
      ];
    }),
  );
  return [["Method", "HTTP", "Scope", "Role on the project"], ...rows];
}

/** Describes the required role. */
function roleOf({ role, everyProject }) {
  if (everyProject) return `none; lists projects with at least ${role}`;
  return role === "role-unspecified" ? "none" : role;
}
