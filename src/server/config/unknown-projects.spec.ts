import { expect, it } from "vitest";
import { configSchema } from "./config-schema.js";
import { unknownProjects } from "./unknown-projects.js";

it("names each entry with an unknown project, with its value escaped", () => {
  const rule = (...projects: string[]) => ({ principal: "p", projects, role: "viewer" });
  const webhook = { name: "a", url: "https://a.example", secretFile: "s", projects: ["shop", "later"] };
  const config = configSchema.parse({
    access: [rule("shop", "7"), rule("*"), rule("gone\te")],
    messagingData: { incidents: { webhooks: [webhook] } },
  });
  const expected = (path: string, name: string) =>
    `${path}: there is no project ${name}; the entry applies once it exists`;
  expect(unknownProjects(config, (name) => name === "shop" || name === "7")).toEqual([
    expected("access[2].projects[0]", "gone\\u0009e"),
    expected("messagingData.incidents.webhooks[0].projects[1]", "later"),
  ]);
  expect(unknownProjects(config, () => true)).toEqual([]);
});
