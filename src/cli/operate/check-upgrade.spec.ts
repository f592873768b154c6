import { expect, test } from "vitest";
import { VERSION } from "../../server/operators/version.js";
import { upgradeReport } from "./check-upgrade.js";

const ADVICE = "Before the upgrade, make a backup.";
const current = { name: "/data/records.db", found: 3, supported: 3, changes: [] };

/** The report without the numbers of spaces. */
const reportOn = (...plans: Parameters<typeof upgradeReport>[0]): string[] =>
  upgradeReport(plans, ADVICE)
    .split("\n")
    .map((line) => line.replaceAll(/ +/g, " "));

test("an upgrade without changes allows a downgrade", () => {
  expect(reportOn(current)).toEqual([
    `data version waybill ${VERSION} changes`,
    "/data/records.db 3 3 none",
    "",
    "The upgrade changes no data. You can go back to the previous version without a restore.",
    ADVICE,
    "",
  ]);
});

test("an upgrade with changes lists them, and needs a restore for a downgrade", () => {
  const changed = { ...current, found: 1, changes: ["0002-names.sql", "0003-days.sql"] };
  expect(reportOn(current, changed).slice(2)).toEqual([
    "/data/records.db 1 3 0002-names.sql, 0003-days.sql",
    "",
    "The first start makes 2 changes. After that, the previous version cannot start. To go back, restore the backup.",
    ADVICE,
    "",
  ]);
});

test("data that does not exist is created, which is no change", () => {
  const [, line, , outcome] = reportOn({ ...current, found: 0, changes: ["0001-initial.sql"] });
  expect([line, outcome]).toEqual([
    "/data/records.db none 3 is created",
    "The upgrade changes no data. You can go back to the previous version without a restore.",
  ]);
});

test("data of a newer version has no outcome", () => {
  expect(reportOn({ ...current, found: 4 }).slice(1)).toEqual([
    "/data/records.db 4 3 cannot be opened",
    "",
    ADVICE,
    "",
  ]);
});
