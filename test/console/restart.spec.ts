import { expect } from "vitest";
import { chooseDays, keyFigure, test } from "../support/browser/console.js";
import { signIn } from "../support/browser/sign-in.js";
import { freePort } from "../support/cluster/free-port.js";
import { countsIn, countText } from "../support/data/delivery-truth.js";
import { importRecentTraffic } from "../support/data/recent-traffic.js";
import { poll } from "../support/poll.js";
import { ANDROID_APP, EDITOR, VIEWER } from "../support/servers/project.js";
import { startProcess } from "../support/servers/server-process.js";

test.override("checksProblems", false);

test("figures stay visible while the server restarts, and newly chosen figures load afterwards", async ({
  directory,
  startServer,
  newPage,
}) => {
  const args = ["--messaging-data-port", String(await freePort())];
  const before = await startProcess(directory, undefined, args);
  const truth = await importRecentTraffic(before, await before.token(EDITOR), { days: 14, messages: 1_000 });
  const days = [...new Set(truth.map(({ date }) => JSON.stringify(date)))];
  const acceptedIn = (from: readonly string[]): string =>
    countText(
      countsIn(truth.filter(({ date }) => from.includes(JSON.stringify(date)))).countMessagesAccepted,
    );

  const page = await newPage();
  await page.goto(`${before.messagingDataUrl}/console/?app=${encodeURIComponent(ANDROID_APP)}`);
  await signIn(page, await before.token(VIEWER));
  const figure = keyFigure(page, "Accepted messages");
  const showsSumOf = async (range: readonly string[]): Promise<void> => {
    const sum = acceptedIn(range);
    await poll(() => figure.textContent(), sum);
  };
  const openLabels = async (): Promise<void> => {
    await page.getByRole("link", { name: "Labels" }).click();
    await page.getByRole("table", { name: "Labels" }).waitFor();
  };
  await showsSumOf(days);
  // A browser keeps a failed download of a part's code until the page is reloaded.
  await openLabels();
  await page.getByRole("link", { name: "Overview" }).click();
  await showsSumOf(days);

  await before.stop("SIGKILL");
  await chooseDays(page, "7 days");
  const banner = page.getByRole("status").filter({ hasText: "may be out of date" });
  await banner.waitFor();
  expect(await figure.textContent()).toBe(acceptedIn(days));

  await startServer(undefined, args);
  await banner.waitFor({ state: "detached" });
  await showsSumOf(days.slice(0, 7));
  await openLabels();
});
