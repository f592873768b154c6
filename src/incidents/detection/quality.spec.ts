import { describe, expect, it } from "vitest";
import { anyFault, fallOf, quiet } from "../../../bench/incidents/scenarios.js";
import { type Finder, scoreHistories } from "../../../bench/incidents/score.js";
import { detectIncidents } from "./detect-incidents.js";

const find: Finder = (app, labels, lastDay) => {
  const finder = detectIncidents(app, labels, lastDay);
  for (;;) {
    const { done, value } = finder.next();
    if (done) return value;
  }
};

// `npm run bench -- incidents` measures more histories, with the same model of traffic.
describe("detectIncidents in random histories", () => {
  it("detects falls of ten points in 200 daily messages within two days", () => {
    const { faults, foundInTwoDays } = scoreHistories(find, 101, 60, fallOf(10, 200));
    expect(foundInTwoDays).toBeGreaterThanOrEqual(0.9 * faults);
  });

  it("detects problems of all kinds, with their first day", () => {
    const { faults, found, startErrors } = scoreHistories(find, 102, 30, anyFault);
    expect(found).toBeGreaterThanOrEqual(0.95 * faults);
    expect(startErrors.filter((error) => error === 0).length).toBeGreaterThanOrEqual(0.85 * found);
  });

  it("raises at most one false alarm per thousand label days", () => {
    const { quietDays, falseFindings } = scoreHistories(find, 103, 30, quiet);
    expect(quietDays).toBeGreaterThan(10_000);
    expect(falseFindings).toBeLessThanOrEqual(quietDays / 1000);
  });
});
