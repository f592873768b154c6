import { type ReactNode, type RefObject, useState } from "react";
import { Button } from "../../elements/basics.js";
import { type ChartFile, download } from "../../files/files.js";
import styles from "./chart-actions.module.css";
import { type ChartDrawing, chartDrawing, type LegendLine } from "./chart-drawing.js";

/** Buttons that save a chart as an image. */
export function ChartActions({
  svg,
  title,
  file: { fileName, subtitle },
  label,
  legend = () => [],
  isQuiet = false,
}: {
  /** The drawing to save. */
  svg: RefObject<SVGSVGElement | null>;
  /** Title in the image. */
  title: string;
  file: ChartFile;
  /** Chart name for assistive technology. */
  label: string;
  /** Returns legend lines for the image. */
  legend?: () => readonly LegendLine[];
  /** True for small charts, so that their buttons do not stand out. */
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
        {failed && "Could not save the chart."}
      </span>
    </div>
  );
}

/** Image pixels per CSS pixel, for sharp images. */
const SCALE = 2;

/**
 * Renders a drawing as PNG.
 * @throws Error if the browser cannot render it.
 */
async function pngOf({ text, width, height }: ChartDrawing): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(width * SCALE);
    canvas.height = Math.round(height * SCALE);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) =>
        blob === null ? reject(new Error("the browser returned no image")) : resolve(blob),
      );
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}
