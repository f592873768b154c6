import type { DayActions } from "#console/ui/charts/frame/day-actions.js";
import { changeView } from "#console/ui/view/use-view.js";

/** From a day to its labels, and from many days to some. */
export const TO_LABELS: DayActions = {
  open: (range, category) => {
    changeView({
      tab: "labels",
      range: { kind: "own", range },
      // The table has a column for each category. The worst comes first.
      ...(category && { sorting: { column: category, descending: category !== "delivered" } }),
    });
    // The chart that had the focus is gone; the labels begin at the top.
    document.getElementById("main")?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  },
  zoom: (range) => changeView({ range: { kind: "own", range } }),
};
