import type { Page } from "playwright-core";
import { expect } from "vitest";
import { daysButton, test as serving } from "../support/browser/console.js";
import { accepted } from "../support/data/delivery-data.js";
import { importEvents } from "../support/data/import.js";
import { ANDROID_APP, BASE_CONFIG } from "../support/servers/project.js";
import { setClock } from "../support/servers/set-clock.js";

const START = "2031-05-06T20:00:00Z";
const VIEW = `?app=${encodeURIComponent(ANDROID_APP)}&days=7`;

const test = serving
  .override("traffic", false)
  .override("config", { ...BASE_CONFIG, clock: { adjustable: true } })
  .override("args", ["--clock", START]);

/** The clock banner. */
const clockLine = (page: Page) => page.getByText(/^The server's clock is set to /);

/** The time as shown to a viewer in New York. */
const inNewYork = (time: string): string =>
  new Date(time).toLocaleString("en-US", {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "America/New_York",
  });

test("the page shows the time and speed of an adjusted clock, and follows its days", async ({
  server,
  editor,
  viewer,
  console,
}) => {
  await setClock(server, { time: START, rate: 0 });
  await importEvents(server, editor, [accepted(ANDROID_APP, "2031-05-05T20:00:00Z")], {
    appId: ANDROID_APP,
    entries: 1,
  });
  const page = await console.signedIn(viewer, VIEW, { timezoneId: "America/New_York" });
  await clockLine(page).waitFor();
  expect(await clockLine(page).innerText()).toBe(
    `The server's clock is set to ${inNewYork(START)}, your time, and runs at 0 times normal speed.`,
  );
  await daysButton(page).filter({ hasText: "Apr 29 – May 5, 2031" }).waitFor();

  await setClock(server, { advance: "2d" });
  await clockLine(page)
    .filter({ hasText: inNewYork("2031-05-08T20:00:00Z") })
    .waitFor();
  await daysButton(page).filter({ hasText: "May 1 – 7, 2031" }).waitFor();
});
