import { expect } from "vitest";
import { test } from "../support/browser/console.js";
import { BASE_CONFIG, PROJECT } from "../support/servers/project.js";

// More than one page of apps, and more than one batch of configurations.
const APPS = Array.from({ length: 230 }, (_, index) => ({
  id: `app-${String(index).padStart(3, "0")}`,
  ...(index % 2 === 1 && { appAttestConfig: { tokenTtl: `${1800 + index}s` } }),
}));

const [PROJECT_OF_APPS, ...OTHERS] = BASE_CONFIG.projects;

test.override("config", { ...BASE_CONFIG, projects: [{ ...PROJECT_OF_APPS, apps: APPS }, ...OTHERS] });
test.override("traffic", false);

test("lists all apps of the project with their token lifetimes", async ({ console, viewer }) => {
  const page = await console.signedIn(viewer, `?project=${PROJECT.id}&tab=integrity`);
  await page.locator("table:not([aria-busy=true])").waitFor();
  const rows = await page
    .getByRole("rowheader")
    .evaluateAll((headers) => headers.map((header) => header.parentElement?.innerText.split("\t") ?? []));
  expect(rows.map(([id]) => id)).toEqual(APPS.map(({ id }) => id));
  expect(rows[0]).toEqual(["app-000", "1 hour", `projects/${PROJECT.number}/apps/app-000/appAttestConfig`]);
  expect(rows[61]?.[1]).toBe("31 minutes 1 second");
});
