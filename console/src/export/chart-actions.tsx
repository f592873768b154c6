import { type ReactNode, type RefObject, useState } from "react";
import { formatRange } from "../days/format-day.js";
import { useSelection } from "../delivery/selection.js";
import { type ChartDrawing, chartDrawing, type LegendLine } from "./chart-drawing.js";
import { pngOf } from "./chart-png.js";
import { download } from "./download.js";
import { fileNameOf } from "./file-name.js";

/** Buttons that save a chart as currently drawn. */
export function ChartActions({
  svg,
  name,
  title,
}: {
  /** The chart. Its elements with `data-transient` are left out of the file. */
  svg: RefObject<SVGSVGElement | null>;
  /** Base name of the file; the app and the days are added. */
  name: string;
  /** Title of the drawing; defaults to the heading of its card. */
  title?: string;
}): ReactNode {
  const selection = useSelection();
  const { app, range } = selection;
  const [failed, setFailed] = useState(false);

  async function save(
    extension: string,
    contentOf: (drawing: ChartDrawing) => Blob | Promise<Blob>,
  ): Promise<void> {
    if (svg.current === null) return;
    try {
      const drawing = chartDrawing(
        svg.current,
        title ?? headingOf(svg.current) ?? name,
        `${app} · ${formatRange(range)} · days in Los Angeles time`,
        legendOf(svg.current),
      );
      download(await contentOf(drawing), fileNameOf(name, selection, extension));
      setFailed(false);
    } catch {
      setFailed(true);
    }
  }

  return (
    <div className="chart-actions">
      <button
        type="button"
        className="button-small"
        aria-label={`Download SVG of ${title ?? name}`}
        onClick={() => void save("svg", ({ text }) => new Blob([text], { type: "image/svg+xml" }))}
      >
        SVG
      </button>
      <button
        type="button"
        className="button-small"
        aria-label={`Download PNG of ${title ?? name}`}
        onClick={() => void save("png", pngOf)}
      >
        PNG
      </button>
      <span role="status" className="small">
        {failed && "The chart could not be saved."}
      </span>
    </div>
  );
}

const headingOf = (chart: Element): string | undefined =>
  chart.closest(".card")?.querySelector("h2, h3")?.textContent ?? undefined;

/** The legend on the same card. */
const legendOf = (chart: Element): LegendLine[] =>
  [...(chart.closest(".chart-card")?.querySelectorAll(".chart-legend li") ?? [])].flatMap((line) => {
    const swatch = line.querySelector<SVGSVGElement>("svg");
    const text = line.querySelector(".chart-legend-title")?.textContent;
    return swatch === null || !text ? [] : [{ swatch, text }];
  });
