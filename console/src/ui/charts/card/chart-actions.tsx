import { type ReactNode, type RefObject, useState } from "react";
import { Button } from "#console/ui/elements/button.js";
import { download } from "#console/ui/files/download.js";
import styles from "./chart-actions.module.css";
import { type ChartDrawing, chartDrawing, type LegendLine } from "./chart-drawing.js";
import type { ChartFile } from "./chart-file.js";
import { pngOf } from "./chart-png.js";

/** Buttons that save a chart as currently drawn. */
export function ChartActions({
  svg,
  title,
  file: { fileName, subtitle },
  label,
  legend = () => [],
  isQuiet = false,
}: {
  /** The chart. */
  svg: RefObject<SVGSVGElement | null>;
  /** Title of the picture. */
  title: string;
  file: ChartFile;
  /** Name of the chart on the buttons, for assistive technology. */
  label: string;
  /** Returns the lines below the chart in the picture. */
  legend?: () => readonly LegendLine[];
  /** True for one of many charts, whose buttons would catch the eye. */
  isQuiet?: boolean;
}): ReactNode {
  const look = isQuiet ? "quiet" : "small";
  const [failed, setFailed] = useState(false);

  async function save(
    extension: string,
    contentOf: (drawing: ChartDrawing) => Blob | Promise<Blob>,
  ): Promise<void> {
    if (svg.current === null) return;
    try {
      const drawing = chartDrawing(svg.current, title, subtitle, legend());
      download(await contentOf(drawing), `${fileName}.${extension}`);
      setFailed(false);
    } catch {
      setFailed(true);
    }
  }

  return (
    <div className={isQuiet ? styles.quiet : styles.actions}>
      <Button
        look={look}
        aria-label={`Download SVG of ${label}`}
        onClick={() => void save("svg", ({ text }) => new Blob([text], { type: "image/svg+xml" }))}
      >
        SVG
      </Button>
      <Button look={look} aria-label={`Download PNG of ${label}`} onClick={() => void save("png", pngOf)}>
        PNG
      </Button>
      <span role="status" className="small">
        {failed && "The chart could not be saved."}
      </span>
    </div>
  );
}
