import { describe, expect, it, test } from "vitest";
import { findVolumes } from "../../../bench/incidents/find-volumes.js";
import { changedVolumes, quietVolumes, scoreVolumes } from "../../../bench/incidents/volume-score.js";
import { SENDERS } from "../../../bench/incidents/volume-traffic.js";
import { detectVolumeIncidents } from "./detect-volume-incidents.js";

const find = findVolumes(detectVolumeIncidents);

// `npm run bench -- incidents` measures more histories, with the same model of traffic.
describe("detectVolumeIncidents in random histories", () => {
  it("detects silences of apps with 200 daily messages on their first day", () => {
    const { faults, delays, startErrors } = scoreVolumes(find, 201, 60, changedVolumes("silence", 0, 200));
    expect(delays.filter((delay) => delay === 1).length).toBeGreaterThanOrEqual(0.95 * faults);
    expect(startErrors).toBe(0);
  });

  it("detects falls and rises within a week", () => {
    for (const [kind, factor] of [
      ["fall", 0.3],
      ["rise", 4],
    ] as const) {
      const { faults, delays } = scoreVolumes(
        find,
        202,
        40,
        changedVolumes(kind, factor, 1_000, { sender: "daily" }),
      );
      expect(delays.length).toBeGreaterThanOrEqual(0.85 * faults);
    }
  });

  test.each(SENDERS)("raises at most one false alarm per thousand app days for the sender %s", (sender) => {
    const { appDays, falseOfApp } = scoreVolumes(find, 203, 40, quietVolumes(sender));
    expect(appDays).toBeGreaterThan(4_000);
    expect(falseOfApp).toBeLessThanOrEqual(Math.ceil(appDays / 1000));
  });

  it("raises at most one false alarm per thousand label days", () => {
    const { labelDays, falseOfLabels } = scoreVolumes(find, 204, 60, quietVolumes());
    expect(falseOfLabels).toBeLessThanOrEqual(labelDays / 1000);
  });
});
