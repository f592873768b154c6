const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

/** A self-contained SVG image, with its size in CSS pixels. */
export interface ChartDrawing {
  readonly text: string;
  readonly width: number;
  readonly height: number;
}

export interface LegendLine {
  readonly swatch: SVGSVGElement;
  readonly text: string;
}

/** Sizes in pixels. */
const MARGIN = 16;
const TITLE_SIZE = 17;
const TEXT_SIZE = 13;
const HEAD_HEIGHT = 52;
const LINE_HEIGHT = 22;
const SWATCH_WIDTH = 24;

/** Creates an image of a chart, with its title, background and legend. @param subtitle app and days */
export function chartDrawing(
  chart: SVGSVGElement,
  title: string,
  subtitle: string,
  legend: readonly LegendLine[],
): ChartDrawing {
  const { width: chartWidth, height: chartHeight } = chart.getBoundingClientRect();
  const style = getComputedStyle(chart);
  const widthOf = textMeasure(style.fontFamily);
  const columnWidth =
    SWATCH_WIDTH + 2 * MARGIN + Math.max(0, ...legend.map(({ text }) => widthOf(text, TEXT_SIZE)));
  const columns = Math.max(1, Math.floor((chartWidth + 2 * MARGIN) / columnWidth));
  const legendTop = 2 * MARGIN + HEAD_HEIGHT + chartHeight;
  const width = chartWidth + 2 * MARGIN;
  const height =
    legendTop + Math.ceil(legend.length / columns) * LINE_HEIGHT + (legend.length > 0 ? MARGIN : 0);

  const text = (content: string, x: number, y: number, size: number, weight = 400): SVGElement => {
    const fitting = Math.min(size, (size * (width - MARGIN - x)) / widthOf(content, size, weight));
    const fill = style.color;
    return element("text", { x, y, fill, "font-size": fitting, "font-weight": weight }, content);
  };
  const root = element("svg", {
    xmlns: SVG_NAMESPACE,
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    "font-family": style.fontFamily,
  });
  root.append(
    element("title", {}, title),
    element("rect", { width, height, fill: surfaceBehind(chart) }),
    text(title, MARGIN, MARGIN + TITLE_SIZE, TITLE_SIZE, 620),
    text(subtitle, MARGIN, MARGIN + TITLE_SIZE + LINE_HEIGHT, TEXT_SIZE),
    placed(standaloneCopy(chart), MARGIN, MARGIN + HEAD_HEIGHT, chartWidth, chartHeight),
    ...legend.flatMap(({ swatch, text: meaning }, index) => {
      const x = MARGIN + (index % columns) * columnWidth;
      const y = legendTop + Math.floor(index / columns) * LINE_HEIGHT;
      const box = swatch.getBoundingClientRect();
      return [
        placed(standaloneCopy(swatch), x, y, box.width, box.height),
        text(meaning, x + SWATCH_WIDTH, y + box.height - 1, TEXT_SIZE),
      ];
    }),
  );
  return { text: new XMLSerializer().serializeToString(root), width, height };
}

function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  text?: string,
): SVGElement {
  const made = document.createElementNS(SVG_NAMESPACE, name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
}

function placed(drawing: SVGSVGElement, x: number, y: number, width: number, height: number): SVGSVGElement {
  // Value labels may extend beyond the drawing, as on the page.
  const place = { x, y, width, height, overflow: "visible" };
  for (const [name, value] of Object.entries(place)) drawing.setAttribute(name, String(value));
  return drawing;
}

function textMeasure(fontFamily: string): (text: string, size: number, weight?: number) => number {
  const context = document.createElement("canvas").getContext("2d");
  return (text, size, weight = 400) => {
    if (context === null) return 0;
    context.font = `${weight} ${size}px ${fontFamily}`;
    return context.measureText(text).width;
  };
}

function surfaceBehind(chart: Element): string {
  for (let element: Element | null = chart; element !== null; element = element.parentElement) {
    const { backgroundColor } = getComputedStyle(element);
    if (!/^(transparent|rgba\(.*, 0\))$/.test(backgroundColor)) return backgroundColor;
  }
  return "Canvas";
}

/** Inherited properties that style sheets set on a drawing, copied as SVG attributes. */
const INHERITED = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "color",
  "font-family",
  "font-size",
  "font-weight",
  "font-variant-numeric",
  "letter-spacing",
  "text-anchor",
  "dominant-baseline",
  "paint-order",
  "shape-rendering",
];

/** Attributes without meaning outside the page. */
const OF_THE_PAGE = /^(class|style|tabindex|role|focusable|aria-.*|data-.*)$/;

/** Copies a drawing with its computed colors and fonts. Skips hidden elements. */
function standaloneCopy(drawing: SVGSVGElement): SVGSVGElement {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  inlineStyles(drawing, copy, undefined);
  return copy;
}

// Sets attributes instead of styles, because an embedding page's content security policy may block styles.
function inlineStyles(from: Element, to: Element, inherited: CSSStyleDeclaration | undefined): void {
  // Copies the lists, because elements are removed during the walk.
  const originals = [...from.children];
  const copies = [...to.children];
  const style = getComputedStyle(from);
  for (const name of to.getAttributeNames()) if (OF_THE_PAGE.test(name)) to.removeAttribute(name);
  for (const property of INHERITED) {
    const value = style.getPropertyValue(property);
    if (value === inherited?.getPropertyValue(property)) to.removeAttribute(property);
    else to.setAttribute(property, localUrls(value));
  }
  if (style.opacity !== "1") to.setAttribute("opacity", style.opacity);
  originals.forEach((original, index) => {
    const copied = copies[index];
    if (copied === undefined) return;
    const { display, visibility } = getComputedStyle(original);
    const isShown = original.closest("defs") !== null || (display !== "none" && visibility !== "hidden");
    if (!isShown) copied.remove();
    else inlineStyles(original, copied, style);
  });
}

/** Removes the page URL, which some browsers add to pattern references. */
const localUrls = (value: string): string => value.replace(/url\("?[^"#)]*#([^")]+)"?\)/g, "url(#$1)");
