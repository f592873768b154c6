import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { AndroidIncidentJson } from "../../src/gen/waybill/messagingdata/v1beta1/incident_pb.js";
import { type Day, dayOfJson, formatDay } from "../../src/model/day.js";
import { chooseDays, test as serving, urlParameters } from "../support/browser/console.js";
import { holdRequests } from "../support/browser/hold-requests.js";
import { columnOf, readTable } from "../support/browser/page-table.js";
import { signIn } from "../support/browser/sign-in.js";
import { untilSettled } from "../support/browser/watched-page.js";
import { countsIn, countText, percentText } from "../support/data/delivery-truth.js";
import { listIncidents } from "../support/data/incidents.js";
import { poll } from "../support/poll.js";
import { ago, TODAY } from "../support/today.js";

let page: Page;

const DAYS = 28;
const FALLEN = "promo";

serving.override("traffic", {
  days: DAYS,
  messages: 12_000,
  labels: 14,
  faults: [{ label: FALLEN, from: ago(3), delivered: 0.1 }],
});
const test = serving
  .extend("open", ({ console, viewer }) => async (view: string): Promise<void> => {
    page = await console.signedIn(viewer, view);
    await page.getByRole("table", { name: "Labels" }).waitFor();
  })
  /** Labels in the traffic with their counts, most undelivered messages first. */
  .extend("trueLabels", ({ truth }) => () => {
    const labels = [...new Set(truth.map(({ analyticsLabel = "" }) => analyticsLabel))];
    return labels
      .map((label) => {
        const counts = countsIn(truth.filter(({ analyticsLabel = "" }) => analyticsLabel === label));
        const { countMessagesAccepted: accepted = 0, delivered = 0 } = counts;
        return { name: nameOf(label), counts, accepted, undelivered: accepted - delivered };
      })
      .sort((a, b) => b.undelivered - a.undelivered);
  });

/** The longest run of days without incidents. */
function longestOrdinary(incidents: readonly AndroidIncidentJson[]): readonly Day[] {
  const runs: Day[][] = [[]];
  for (let day = TODAY - DAYS; day < TODAY; day++) {
    if (incidents.some((incident) => isWithin(incident, day))) runs.push([]);
    else runs.at(-1)?.push(day);
  }
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest));
}

const isWithin = ({ startDate = {}, endDate }: AndroidIncidentJson, day: Day): boolean =>
  dayOfJson(startDate) <= day && (endDate === undefined || day <= dayOfJson(endDate));

/** A label's name on the page. */
const nameOf = (label: string): string => (label === "" ? "(no label)" : label);

test("a row in the label table shows the label's figures and its share of undelivered messages", async ({
  open,
  trueLabels,
}) => {
  await open("?tab=labels");
  await page.getByRole("button", { name: "All columns" }).click();
  const { headings, rows } = await readTable(page, "Labels");
  const labels = trueLabels();
  const missing = labels.reduce((sum, { undelivered }) => sum + undelivered, 0);
  const expected = labels.map(({ name, counts, accepted, undelivered }) => {
    const share = (...names: string[]): string =>
      percentText(
        names.reduce((sum, each) => sum + (counts[each] ?? 0), 0),
        accepted,
      );
    const drops = Object.keys(counts).filter((each) => each.startsWith("dropped"));
    return {
      Label: name,
      Undelivered: countText(undelivered),
      "Of all undelivered": percentText(undelivered, missing),
      "Delivered by day": "",
      Delivered: share("delivered"),
      "No delay": share("deliveredNoDelay"),
      Pending: share("pending"),
      Collapsed: share("collapsed"),
      Dropped: share(...drops),
      "Dropped: too many pending": share("droppedTooManyPendingMessages"),
      "Dropped: app force stopped": share("droppedAppForceStopped"),
      "Dropped: device inactive": share("droppedDeviceInactive"),
      "Dropped: expired": share("droppedTtlExpired"),
      Unaccounted: percentText(
        undelivered - ["pending", "collapsed", ...drops].reduce((sum, each) => sum + (counts[each] ?? 0), 0),
        accepted,
      ),
      Messages: countText(accepted),
      Notifications: countText(counts.countNotificationsAccepted),
    };
  });
  const read = rows.map((row) =>
    Object.fromEntries(
      row
        .map((text, index) => [headings[index], text] as const)
        .filter(([heading = ""]) => !["Beyond usual", "Usual"].includes(heading)),
    ),
  );
  const byName = <R extends { Label?: string }>(all: readonly R[]): R[] =>
    [...all].sort((a, b) => ((a.Label ?? "") < (b.Label ?? "") ? -1 : 1));
  expect(byName(read)).toEqual(byName(expected));
  expect(rows.length).toBe(15);
});

test("a bar in the label table is filled in proportion to its share", async ({ open, trueLabels }) => {
  await open("?tab=labels");
  // Incidents may load later, and move rows.
  await untilSettled(page);
  const table = await readTable(page, "Labels");
  const column = table.headings.indexOf("Of all undelivered");
  const filled = await page.getByRole("table", { name: "Labels" }).evaluate(
    (element, column) =>
      [...element.querySelectorAll("tbody tr")].map((row) => {
        const track = row.children[column]?.querySelector("[aria-hidden]");
        const widthOf = (part: Element | null | undefined): number =>
          part?.getBoundingClientRect().width ?? 0;
        return (100 * widthOf(track?.firstElementChild)) / widthOf(track);
      }),
    column,
  );
  const labels = trueLabels();
  const missing = labels.reduce((sum, { undelivered }) => sum + undelivered, 0);
  const names = columnOf(table, "Label");
  expect(filled.length).toBe(labels.length);
  for (const { name, undelivered } of labels) {
    expect(filled[names.indexOf(name)], name).toBeCloseTo((100 * undelivered) / missing, 0);
  }
});

test("the label with an incident is listed before the label with the most undelivered messages", async ({
  open,
  server,
  viewer,
  truth,
  trueLabels,
}) => {
  expect(trueLabels()[0]?.name).not.toBe(FALLEN);
  await open("?tab=labels");
  const incidents = await listIncidents(server, viewer, `analyticsLabel=${FALLEN}`);
  const [fall] = incidents;
  const { year = 0, month = 0, day = 0 } = fall?.startDate ?? {};
  const start = Date.UTC(year, month - 1, day);
  const { delivered, countMessagesAccepted } = countsIn(
    truth.filter(
      ({ analyticsLabel, date }) =>
        analyticsLabel === FALLEN && Date.UTC(date.year, date.month - 1, date.day) >= start,
    ),
  );
  const since = new Date(start).toLocaleDateString("en-US", { dateStyle: "medium", timeZone: "UTC" });
  expect(await page.getByText(" more messages than usual").first().innerText()).toBe(
    `${FALLEN} fell on ${since} and has not recovered: ${percentText(delivered, countMessagesAccepted)}, ` +
      `usually ${percentText(Number(fall?.usualPercent), 100)}. ` +
      `About ${countText(Number(fall?.excessMessageCount))} more messages than usual were not delivered.`,
  );

  const table = await readTable(page, "Labels");
  expect(columnOf(table, "Label")[0]).toBe(FALLEN);
  const excess = incidents.reduce((sum, { excessMessageCount }) => sum + Number(excessMessageCount), 0);
  expect(columnOf(table, "Beyond usual")[0]).toBe(countText(excess));
});

test("a row counts only excess messages of the days in view, and the sentence counts the whole incident", async ({
  open,
  server,
  viewer,
  truth,
}) => {
  const [fall] = await listIncidents(server, viewer, `analyticsLabel=${FALLEN}`);
  await open(`?tab=labels&from=${ago(2)}&to=${ago(2)}`);
  const entries = truth.filter(
    ({ analyticsLabel, date: { year, month, day } }) =>
      analyticsLabel === FALLEN && formatDay(dayOfJson({ year, month, day })) === ago(2),
  );
  const { delivered = 0, countMessagesAccepted = 0 } = countsIn(entries);
  const expected = Math.round((Number(fall?.usualPercent) / 100) * countMessagesAccepted - delivered);
  expect(expected).toBeLessThan(Number(fall?.excessMessageCount));
  await page.getByText(`About ${countText(Number(fall?.excessMessageCount))} more messages`).waitFor();
  // The label's days may load after the sentence.
  const excess = async () => {
    const table = await readTable(page, "Labels");
    return columnOf(table, "Beyond usual")[columnOf(table, "Label").indexOf(FALLEN)];
  };
  await poll(excess, countText(expected));
});

test("a row in the label table shows the delivered share of usual days, without days of incidents", async ({
  open,
  server,
  viewer,
  truth,
  trueLabels,
}) => {
  await open(`?tab=labels&from=${ago(3)}&to=${ago(1)}`);
  const steady = trueLabels().find(({ name }) => name !== FALLEN)?.name ?? "";
  const incidents = await listIncidents(server, viewer, "kind=OUTCOME_SHARE");
  expect(incidents.some(({ analyticsLabel }) => analyticsLabel === FALLEN)).toBe(true);
  const usualShareOf = (name: string): string => {
    const { delivered, countMessagesAccepted } = countsIn(
      truth.filter(
        ({ analyticsLabel = "", date }) =>
          nameOf(analyticsLabel) === name &&
          !incidents.some(
            (incident) =>
              (incident.analyticsLabel ?? analyticsLabel) === analyticsLabel &&
              isWithin(incident, dayOfJson(date)),
          ),
      ),
    );
    return percentText(delivered, countMessagesAccepted);
  };
  const usuals = await poll(
    async () => {
      const table = await readTable(page, "Labels");
      const shares = columnOf(table, "Usual");
      return [FALLEN, steady].map((name) => shares[columnOf(table, "Label").indexOf(name)]);
    },
    ([, share]) => share !== "–",
  );
  expect(usuals).toEqual([usualShareOf(FALLEN), usualShareOf(steady)]);
});

test("the label table is shown before incidents have loaded, and then moves the label with an incident to the top", async ({
  console,
  viewer,
  trueLabels,
  newPage,
}) => {
  page = await newPage();
  const release = await holdRequests(page, "**/incidents?*");
  await page.goto(`${console.url}?tab=labels`);
  await signIn(page, viewer);
  await page.getByText("Loading incidents").waitFor();
  const first = async (): Promise<string | undefined> =>
    columnOf(await readTable(page, "Labels"), "Label")[0];
  expect(await first()).toBe(trueLabels()[0]?.name);
  release();
  await page.getByText(`${FALLEN} fell on `).first().waitFor();
  expect(await first()).toBe(FALLEN);
});

test("the label table stays visible if incidents cannot be loaded, and they can be loaded again", async ({
  console,
  viewer,
  newPage,
  problems,
}) => {
  page = await newPage();
  await page.route("**/incidents?*", (route) =>
    route.fulfill({
      status: 500,
      json: { error: { code: 500, message: "an unexpected error", status: "INTERNAL", details: [] } },
    }),
  );
  await page.goto(`${console.url}?tab=labels`);
  await signIn(page, viewer);
  await page.getByText("Could not load incidents.").waitFor();
  expect(columnOf(await readTable(page, "Labels"), "Label")).toContain(FALLEN);
  await page.unroute("**/incidents?*");
  problems.length = 0;
  await page.getByRole("main").getByRole("button", { name: "Try again" }).click();
  await page.getByText(`${FALLEN} fell on `).first().waitFor();
});

test("without incidents, the page shows a note and sorts labels by undelivered messages", async ({
  open,
  server,
  viewer,
}) => {
  const days = longestOrdinary(await listIncidents(server, viewer)).map(formatDay);
  await open(`?tab=labels&from=${days[0]}&to=${days.at(-1)}`);
  await page.getByText("No incidents on these days.").waitFor();
  const counts = columnOf(await readTable(page, "Labels"), "Undelivered").map((text) =>
    Number(text.replaceAll(",", "")),
  );
  expect(counts).toEqual([...counts].sort((a, b) => b - a));
});

test("a column heading sorts the label table accessibly, and the URL contains the order", async ({
  open,
  trueLabels,
}) => {
  await open("?tab=labels");
  const heading = page.getByRole("columnheader", { name: "Messages", exact: true });
  const numbers = async (): Promise<number[]> =>
    columnOf(await readTable(page, "Labels"), "Messages").map((text) => Number(text.replaceAll(",", "")));
  const accepted = trueLabels().map((label) => label.accepted);

  await heading.getByRole("button").focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => heading.getAttribute("aria-sort")).toBe("descending");
  expect(await numbers()).toEqual([...accepted].sort((a, b) => b - a));

  await page.keyboard.press("Space");
  await expect.poll(() => heading.getAttribute("aria-sort")).toBe("ascending");
  expect(await numbers()).toEqual([...accepted].sort((a, b) => a - b));
  expect(await page.locator("[aria-sort]").count()).toBe(1);

  await page.reload();
  await page.getByRole("table", { name: "Labels" }).waitFor();
  expect(await numbers()).toEqual([...accepted].sort((a, b) => a - b));

  // The worst first: the most dropped messages, but the fewest delivered ones.
  for (const [title, sign] of [
    ["Delivered", 1],
    ["Dropped", -1],
  ] as const) {
    await page.getByRole("button", { name: title, exact: true }).click();
    const shares = columnOf(await readTable(page, "Labels"), title).map(Number.parseFloat);
    expect(shares).toEqual([...shares].sort((a, b) => sign * (a - b)));
    expect(new Set(shares).size).toBeGreaterThan(1);
  }
});

test("small charts have the table's order, show twelve labels at first, and can be shown as a table", async ({
  truth,
  open,
}) => {
  await open("?tab=labels&days=7");
  // Incidents may load later, and move rows.
  await untilSettled(page);
  const order = columnOf(await readTable(page, "Labels"), "Label");
  const charts = page.getByRole("figure", { name: /^Delivered share of / });
  await expect.poll(() => charts.getByRole("link").allInnerTexts()).toEqual(order.slice(0, 12));
  await page.getByRole("button", { name: "Show more charts" }).click();
  await expect.poll(() => charts.getByRole("link").allInnerTexts()).toEqual(order);

  await page.getByRole("button", { name: /^Show as table/ }).click();
  const name = "Delivered share of each label by day";
  await page.getByRole("table", { name }).getByText("%").first().waitFor();
  const table = await readTable(page, name);
  expect(table.rows.length).toBe(7);
  for (const label of order) {
    const days = truth.filter(({ analyticsLabel = "" }) => nameOf(analyticsLabel) === label);
    const shares = new Map(
      days.map((entry) => {
        const { delivered, countMessagesAccepted } = countsIn([entry]);
        const { year, month, day } = entry.date;
        return [`${year}-${month}-${day}`, percentText(delivered, countMessagesAccepted)];
      }),
    );
    const dates = columnOf(table, "Day").map((text) => new Date(`${text} UTC`));
    expect(columnOf(table, label)).toEqual(
      dates.map(
        (date) =>
          shares.get(`${date.getUTCFullYear()}-${date.getUTCMonth() + 1}-${date.getUTCDate()}`) ?? "–",
      ),
    );
  }
});

test("the default columns of the label table fit on the screen, with messages next to the label", async ({
  open,
}) => {
  await open("?tab=labels");
  const { headings } = await readTable(page, "Labels");
  expect(headings).toEqual([
    "Label",
    "Messages",
    "Beyond usual",
    "Undelivered",
    "Of all undelivered",
    "Delivered by day",
    "Delivered",
    "Usual",
    "Dropped",
  ]);
  expect(await page.getByRole("region", { name: "Labels, table" }).evaluate(hiddenWidth)).toBe(0);
  await page.getByRole("button", { name: "All columns" }).click();
  expect((await readTable(page, "Labels")).headings).toHaveLength(18);
  const last = "Dropped: expired";
  await page.getByRole("columnheader", { name: last }).getByRole("button").click();
  await page.reload();
  await page.getByRole("table", { name: "Labels" }).waitFor();
  // The sorted column is visible and fits into the table.
  expect((await readTable(page, "Labels")).headings).toEqual([...headings, last]);
  expect(await page.getByRole("region", { name: "Labels, table" }).evaluate(hiddenWidth)).toBe(0);
});

test("a shadow shows that more columns follow, until the last column is in view", async ({ open }) => {
  await open("?tab=labels");
  await page.setViewportSize({ width: 760, height: 900 });
  const frame = page.getByRole("region", { name: "Labels, table" });
  const edge = page.locator("[data-more]").filter({ has: frame });
  await edge.waitFor();
  await frame.evaluate((one) => one.scrollTo({ left: one.scrollWidth }));
  await edge.waitFor({ state: "detached" });
});

test("column headings align with their figures", async ({ open }) => {
  await open("?tab=labels");
  const gaps = await page.getByRole("table", { name: "Labels" }).evaluate((table) => {
    /** Right edge of an element's text. */
    const endOf = (element: Element | null | undefined): number => {
      const range = document.createRange();
      range.selectNodeContents(element ?? document.body);
      return range.getBoundingClientRect().right;
    };
    return [...table.querySelectorAll("thead tr:last-child th[data-kind=number]")].map((heading) => {
      const column = [...(heading.parentElement?.children ?? [])].indexOf(heading);
      const cell = table.querySelector("tbody tr")?.children[column];
      return endOf(heading.querySelector("button")) - endOf(cell);
    });
  });
  expect(gaps.length).toBeGreaterThan(4);
  for (const gap of gaps) expect(Math.abs(gap)).toBeLessThan(1);
});

test("a label has a link to its overview, and Back returns to all labels", async ({ open }) => {
  await open("?tab=labels");
  const table = page.getByRole("table", { name: "Labels" });
  await table.getByRole("link", { name: "(no label)" }).click();
  await page.getByRole("region", { name: "Key figures" }).waitFor();
  expect(new URL(page.url()).searchParams.getAll("label")).toEqual([""]);
  await page.goBack();
  await table.waitFor();
  expect(columnOf(await readTable(page, "Labels"), "Label").length).toBe(15);
});

test("a search finds labels by the beginnings of words, and shows how many it has found", async ({
  open,
  trueLabels,
}) => {
  await open("?tab=labels");
  const search = page.getByRole("searchbox", { name: "Search labels" });
  await search.focus();
  await page.keyboard.type(FALLEN.slice(0, 3).toUpperCase());
  const found = trueLabels()
    .map(({ name }) => name)
    .filter((name) => new RegExp(`(^|[^a-z0-9])${FALLEN.slice(0, 3)}`, "i").test(name));
  await page.getByText(`${found.length} of 15 labels`).waitFor();
  expect(columnOf(await readTable(page, "Labels"), "Label").sort()).toEqual([...found].sort());
  await search.fill("nothing like it");
  await page.getByText("No labels match.").waitFor();
  await search.fill("");
  await page.getByText("15 of 15 labels").waitFor();
});

test("two selected labels can be compared", async ({ open }) => {
  await open("?tab=labels");
  const [, second = "", third = ""] = columnOf(await readTable(page, "Labels"), "Label");
  const compare = page.getByRole("button", { name: "Compare two labels" });
  await page.getByRole("checkbox", { name: `Compare ${second}`, exact: true }).check();
  expect(await compare.isDisabled()).toBe(true);
  await page.getByRole("checkbox", { name: `Compare ${third}`, exact: true }).check();
  await compare.click();
  await page.getByRole("heading", { name: `${second} vs ${third}` }).waitFor();
});

test("label table and charts show the previous days while other days load", async ({ open }) => {
  await open("?tab=labels&days=28");
  const chart = page.getByRole("slider", { name: /^Delivered share of / }).first();
  await chart.waitFor();
  // Incidents and usual shares may load later.
  await untilSettled(page);
  const days = await chart.getAttribute("aria-valuemax");
  const table = await readTable(page, "Labels");
  const release = await holdRequests(page, "**/deliveryData:aggregate?*");
  await chooseDays(page, "7 days");
  await page.locator("main [aria-busy=true]").first().waitFor();
  expect([await chart.getAttribute("aria-valuemax"), await readTable(page, "Labels")]).toEqual([days, table]);
  release();
  await page.locator("main [aria-busy=false]").first().waitFor();
  await chart.and(page.locator("[aria-valuemax='7']")).waitFor();
});

/** Runs in the page. Returns the hidden pixels in a scrolling element. */
const hiddenWidth = (element: Element): number => element.scrollWidth - element.clientWidth;

test("a comparison starts with the label that an ongoing incident blames, and all other labels", async ({
  open,
  truth,
}) => {
  await open("?tab=labels");
  await page.getByRole("link", { name: "Compare", exact: true }).click();
  await page.getByRole("heading", { name: `${FALLEN} vs All other labels` }).waitFor();
  const table = await readTable(page, "All categories of both sides");
  const sides = [true, false].map((isFallen) =>
    countsIn(truth.filter(({ analyticsLabel }) => (analyticsLabel === FALLEN) === isFallen)),
  );
  for (const [title, texts] of [
    ["Messages", sides.map(({ countMessagesAccepted }) => countText(countMessagesAccepted))],
    ["Delivered", sides.map(({ delivered, countMessagesAccepted: of }) => percentText(delivered, of))],
  ] as const)
    expect(table.rows.find(([name]) => name === title)?.slice(1, 3)).toEqual(texts);

  // Choosing another label keeps the other side, in the URL too.
  await page.getByRole("button", { name: /^Left / }).click();
  await page.getByRole("option", { name: /^chat(?!-)/ }).click();
  await page.getByRole("heading", { name: "chat vs All other labels" }).waitFor();
  expect(await urlParameters(page, "left", "right")).toEqual(["chat", "*"]);
});

test("a comparison starts with the only label of an incident's link", async ({ open }) => {
  await open("?tab=labels&label=chat");
  await page.getByRole("link", { name: "Compare", exact: true }).click();
  await page.getByRole("heading", { name: "chat vs All other labels" }).waitFor();
});
