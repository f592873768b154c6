import { expect, test } from "vitest";
import { matches } from "../../messaging-data/delivery-data/filter/entry-filters.js";
import { appIncident } from "../testing/app-incident.js";
import { usualDates } from "./usual-dates.js";

const usualDaysOf = (label: string, incidents: Parameters<typeof usualDates>[0]): number[] => {
  const filter = usualDates(incidents);
  return [1, 2, 3, 4, 5, 6].filter((day) => matches(filter, { day, label }));
};

test("usualDates leaves out incidents of the label and of the whole app", () => {
  const incidents = [
    appIncident({ label: "promo", startDay: 2, endDay: 3 }),
    appIncident({ label: "promo", outcome: "pending", startDay: 6 }),
    appIncident({ startDay: 5, endDay: 5 }),
  ];
  expect(usualDaysOf("promo", incidents)).toEqual([1, 4]);
  expect(usualDaysOf("news", incidents)).toEqual([1, 2, 3, 4, 6]);
  expect(usualDaysOf("", [])).toEqual([1, 2, 3, 4, 5, 6]);
});

test("usualDates keeps days with an unusual number of messages", () => {
  const fall = {
    appId: "app",
    label: undefined,
    outcome: "fewerAccepted",
    kind: "fall",
    startDay: 2,
    usualMessageCount: 100,
    usualLowMessageCount: 90,
    usualHighMessageCount: 110,
    observedMessageCount: 20,
    excessMessageCount: 80,
    confidence: 1,
    isOfProject: false,
  } as const;
  expect(usualDaysOf("promo", [fall])).toEqual([1, 2, 3, 4, 5, 6]);
});
