import { type ReactNode, useMemo } from "react";
import { useGroups, useKnownIncidents } from "#console/api/queries.js";
import type { DeliveryGroup } from "#console/api/waybill-api.js";
import { coverageText } from "#console/model/days/coverage.js";
import { chartDaysOf, totalOf } from "#console/model/figures/chart-day.js";
import type { Incident } from "#console/model/figures/incident.js";
import {
  type ComparedRow,
  commonRange,
  pairSeriesOf,
  pairsOf,
  sumOfPairs,
} from "#console/model/figures/pair.js";
import { OUTCOMES } from "#console/model/numbers/categories.js";
import { formatCount, formatPercent, formatUnsignedPoints } from "#console/model/numbers/format-number.js";
import { ChartCardOf } from "#console/ui/charts/card/chart-card.js";
import { LineChart } from "#console/ui/charts/line-chart.js";
import { chartFileOf } from "#console/ui/files/files.js";
import { Loaded, useKept } from "#console/ui/states/loaded.js";
import { useView } from "#console/ui/view/use-view.js";
import { NoEntries } from "../placeholders.js";
import styles from "./compare.module.css";
import { CompareLabels } from "./compare-labels.js";
import { CompareRanges } from "./compare-ranges.js";
import { ComparedTable } from "./compared-table.js";
import {
  COMPARE_HEIGHT,
  COMPARED_COUNTS,
  type ComparedCategory,
  compare,
  type Side,
  type SideChoice,
} from "./comparison.js";

/** Two labels or two ranges, side by side. */
export default function Compare(): ReactNode {
  const { comparison } = useView();
  return comparison.kind === "ranges" ? (
    <CompareRanges other={comparison.other}>
      {(left, right) => <Contest left={left} right={right} />}
    </CompareRanges>
  ) : (
    <CompareLabels left={comparison.left} right={comparison.right}>
      {(left, right) => <Contest left={left} right={right} />}
    </CompareLabels>
  );
}

/**
 * Compares two sides: the difference in each category, and one category by day. Updates both sides together, once both
 * have loaded.
 *
 * @param left must be the same object on each render unless the choice changes, like `right`
 */
function Contest({ left, right }: { left: SideChoice; right: SideChoice }): ReactNode {
  const leftDays = useGroups({ ...left.selection, groupBy: ["DATE"] });
  const rightDays = useGroups({ ...right.selection, groupBy: ["DATE"] });
  const leftIncidents = useKnownIncidents(left.selection);
  const rightIncidents = useKnownIncidents(right.selection);
  const now = useMemo(
    () =>
      leftDays.data &&
      rightDays.data &&
      leftIncidents &&
      rightIncidents &&
      ([sideOf(left, leftDays.data, leftIncidents), sideOf(right, rightDays.data, rightIncidents)] as const),
    [left, right, leftDays.data, rightDays.data, leftIncidents, rightIncidents],
  );
  const shown = useKept(now, left.selection);
  return (
    <Loaded shown={shown} queries={[leftDays, rightDays]} height={COMPARE_HEIGHT}>
      {(sides) => <Sides sides={sides} />}
    </Loaded>
  );
}

function sideOf(choice: SideChoice, groups: readonly DeliveryGroup[], incidents: readonly Incident[]): Side {
  const days = chartDaysOf(groups);
  return { ...choice, days, total: totalOf(days), incidents };
}

function Sides({ sides }: { sides: readonly [Side, Side] }): ReactNode {
  const { category } = useView();
  const categories = useMemo(() => compare(sides), [sides]);
  const compared = [...categories, ...COMPARED_COUNTS];
  const charted = compared.find(({ key }) => key === category) ?? categories[0];
  const empty = sides.find(({ days }) => days.length === 0);
  return (
    <div className={styles.sides}>
      {empty !== undefined && <NoEntries range={empty.selection.range} labels={empty.selection.labels} />}
      <Result sides={sides} categories={categories} />
      <div className={styles.parts}>
        <ComparedTable sides={sides} categories={categories} charted={charted?.key} />
        {charted !== undefined && <ComparedChart sides={sides} category={charted} />}
      </div>
    </div>
  );
}

/** Summarizes the comparison: both delivered shares, and how many categories differ. */
function Result({
  sides: [left, right],
  categories,
}: {
  sides: readonly [Side, Side];
  categories: readonly ComparedCategory[];
}): ReactNode {
  const delivered = categories.find(({ key }) => key === "delivered");
  const known = categories.filter(({ difference }) => difference.isBeyondChance !== undefined);
  const clear = known.filter(({ difference }) => difference.isBeyondChance);
  const incomplete = [left, right].flatMap(({ title, selection: { range }, days }) => {
    const coverage = coverageText(range, days.length);
    return coverage === undefined ? [] : [`${title}: ${coverage}`];
  });
  return (
    <section className={styles.result} aria-labelledby="compare-title">
      <h2 id="compare-title">
        {left.title} <span className="soft">vs</span> {right.title}
      </h2>
      {delivered?.points !== undefined && (
        <p>
          Delivered: {formatPercent(delivered.left)} and {formatPercent(delivered.right)} {OUTCOMES.of}
          {movementText(delivered.points)}. {verdictOf(delivered)}{" "}
          {known.length > 0 && (
            <span className="soft">
              {clear.length === 0
                ? "No category differs"
                : `${formatCount(clear.length)} of ${formatCount(known.length)} categories differ`}{" "}
              significantly.
            </span>
          )}
        </p>
      )}
      {incomplete.length > 0 && <p className="soft small">{incomplete.join(". ")}.</p>}
    </section>
  );
}

const movementText = (points: number): string =>
  points === 0 ? "" : `, ${formatUnsignedPoints(Math.abs(points))} ${points > 0 ? "more" : "less"}`;

function verdictOf({ difference: { isBeyondChance } }: ComparedCategory): string {
  if (isBeyondChance === undefined) return "There are too few days with messages to rule out chance.";
  return isBeyondChance
    ? "The difference is statistically significant."
    : "The difference may be due to chance.";
}

/** Height of the chart in pixels. */
const HEIGHT = 320;

/** One category by day, with both sides on the same axis. */
function ComparedChart({
  sides: [left, right],
  category: { key, title, series: category },
}: {
  sides: readonly [Side, Side];
  category: Pick<ComparedRow, "key" | "title" | "series">;
}): ReactNode {
  const [from, to] = [left.selection.range, right.selection.range];
  const range = commonRange(from, to);
  const rows = useMemo(
    () => pairsOf({ range: from, days: left.days }, { range: to, days: right.days }),
    [from, to, left.days, right.days],
  );
  const series = useMemo(
    () => pairSeriesOf(category, { left: left.title, right: right.title }),
    [category, left.title, right.title],
  );
  const named = range === from ? left : right;
  return (
    <ChartCardOf
      title={`${title} by day`}
      lead={
        from === to
          ? "Both sides on one scale."
          : `Both ranges aligned by their first day. The axis shows the days of ${named.title}.`
      }
      file={chartFileOf(`compared-${key}`, right.selection)}
      range={range}
      rows={rows}
      sum={sumOfPairs}
      series={series}
      height={HEIGHT}
      draw={(chart) => <LineChart {...chart} isFitted />}
    />
  );
}
