import { type ReactNode, type RefObject, useState } from "react";
import { Menu } from "../../choose/menu.js";
import { type ChartFile, download } from "../../files/files.js";
import { type ChartDrawing, chartDrawing, type LegendLine } from "./chart-drawing.js";
import styles from "./chart-menu.module.css";

/** Whether a chart is shown as a table, and how to change that. */
export interface ChartForm {
  readonly isTable: boolean;
  /** False while the chart's figures load. */
  readonly isReady: boolean;
  readonly onChange: (isTable: boolean) => void;
}

/** A chart's menu: shows its figures as a table, and saves it as an image. */
export function ChartMenu({
  svg,
  title,
  file: { fileName, subtitle },
  label = title,
  legend = () => [],
  form,
  children,
}: {
  /** The drawing to save. */
  svg: RefObject<SVGSVGElement | null>;
  /** The chart's name, also in the image. */
  title: string;
  file: ChartFile;
  /** Name of the image for assistive technology. By default, the title. */
  label?: string;
  /** Returns legend lines for the image. */
  legend?: () => readonly LegendLine[];
  /** Undefined if the chart does not have its own table. */
  form?: ChartForm;
  /** More buttons and links of the menu. */
  children?: ReactNode;
}): ReactNode {
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

  const otherForm = form?.isTable ? "Show as chart" : "Show as table";
  return (
    <div className={styles.tools}>
      <span role="status" className="small">
        {failed && "Could not save the chart."}
      </span>
      <Menu label={`Menu: ${title}`} shown={<Dots />} className={styles.opener}>
        {children}
        {form !== undefined && (
          <button
            type="button"
            data-closes
            aria-label={`${otherForm}: ${title}`}
            disabled={!form.isReady}
            onClick={() => form.onChange(!form.isTable)}
          >
            {otherForm}
          </button>
        )}
        {!form?.isTable && (
          <>
            <button
              type="button"
              data-closes
              aria-label={`Download SVG of ${label}`}
              onClick={() => void save("svg", ({ text }) => new Blob([text], { type: "image/svg+xml" }))}
            >
              Download SVG
            </button>
            <button
              type="button"
              data-closes
              aria-label={`Download PNG of ${label}`}
              onClick={() => void save("png", pngOf)}
            >
              Download PNG
            </button>
          </>
        )}
      </Menu>
    </div>
  );
}

const Dots = (): ReactNode => (
  <svg className={styles.dots} width="16" height="16" aria-hidden="true">
    {[3, 8, 13].map((x) => (
      <circle key={x} cx={x} cy={8} r={1.5} />
    ))}
  </svg>
);

/** Image pixels per CSS pixel, for sharp images. */
const SCALE = 2;

/** Renders a drawing as PNG. @throws Error if the browser cannot render it. */
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
