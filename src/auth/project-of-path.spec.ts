import { expect, test } from "vitest";
import { projectOfPath } from "./project-of-path.js";

test.each([
  ["parent", "projects/alpha", "alpha"],
  ["parent", "projects/123456789012/androidApps/-", "123456789012"],
  ["app_attest_config.name", "projects/alpha/apps/projects/appAttestConfig", "alpha"],
  ["parent", "projects/al%70ha", "alpha"],
  ["parent", "projects/a%2Fb/androidApps/c", "a/b"],
])("finds the project in %s = %s", (field, text, project) => {
  const captures = new Map([
    ["other", "things/projects"],
    [field, text],
  ]);
  expect(projectOfPath(captures)).toBe(project);
});

test.each(["projects/%zz/apps/a", "projects/%ff"])("rejects the malformed project of %s", (text) => {
  expect(() => projectOfPath(new Map([["name", text]]))).toThrow(
    expect.objectContaining({
      reason: "MALFORMED_PATH",
      violations: [expect.objectContaining({ field: "name" })],
    }),
  );
});
