const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

/** What a drawing takes from the style sheets of the page, all of it as attributes of SVG. */
const PRESENTATION = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "opacity",
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

/** What only means something on the page. */
const OF_THE_PAGE = /^(class|style|tabindex|role|focusable|aria-.*|data-.*)$/;

/** A drawing that stands alone, and its size in CSS pixels. */
export interface ChartDrawing {
  readonly text: string;
  readonly width: number;
  readonly height: number;
}

/**
 * Copies a chart off the page as a file of its own: with the colors and fonts that it has just now, a title, and the
 * background on which it stands. What carries `data-transient`, such as the mark of the day under the pointer, stays behind.
 */
export function chartDrawing(chart: SVGSVGElement, title: string): ChartDrawing {
  const { width, height } = chart.getBoundingClientRect();
  const copy = chart.cloneNode(true) as SVGSVGElement;
  inlineStyles(chart, copy);
  copy.setAttribute("xmlns", SVG_NAMESPACE);
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  if (!copy.hasAttribute("viewBox")) copy.setAttribute("viewBox", `0 0 ${width} ${height}`);
  copy.prepend(titleOf(copy, title), background(chart));
  return { text: new XMLSerializer().serializeToString(copy), width, height };
}

// As attributes rather than styles, which the policy of a page may forbid where the drawing is put into one.
function inlineStyles(from: Element, to: Element): void {
  // As lists: the copy shrinks while it is walked.
  const originals = [...from.children];
  const copies = [...to.children];
  const style = getComputedStyle(from);
  for (const name of to.getAttributeNames()) if (OF_THE_PAGE.test(name)) to.removeAttribute(name);
  for (const property of PRESENTATION) {
    const value = style.getPropertyValue(property);
    if (value !== "") to.setAttribute(property, localUrls(value));
  }
  originals.forEach((original, index) => {
    const copied = copies[index];
    if (copied === undefined) return;
    const { display, visibility } = getComputedStyle(original);
    const isShown = original.closest("defs") !== null || (display !== "none" && visibility !== "hidden");
    if (!isShown || original.hasAttribute("data-transient")) copied.remove();
    else inlineStyles(original, copied);
  });
}

/** Patterns are named by the address of the page in some browsers; in the file they are named within it. */
const localUrls = (value: string): string => value.replace(/url\("?[^"#)]*#([^")]+)"?\)/g, "url(#$1)");

function titleOf(copy: SVGSVGElement, text: string): SVGTitleElement {
  copy.querySelector(":scope > title")?.remove();
  const title = document.createElementNS(SVG_NAMESPACE, "title");
  title.textContent = text;
  return title;
}

function background(chart: SVGSVGElement): SVGRectElement {
  const rect = document.createElementNS(SVG_NAMESPACE, "rect");
  // From the corner of what is drawn, which may lie outside of the origin.
  const { x, y } = chart.viewBox.baseVal ?? { x: 0, y: 0 };
  rect.setAttribute("x", String(x));
  rect.setAttribute("y", String(y));
  rect.setAttribute("width", "100%");
  rect.setAttribute("height", "100%");
  rect.setAttribute("fill", surfaceBehind(chart));
  return rect;
}

function surfaceBehind(chart: Element): string {
  for (let element: Element | null = chart; element !== null; element = element.parentElement) {
    const { backgroundColor } = getComputedStyle(element);
    if (!/^(transparent|rgba\(.*, 0\))$/.test(backgroundColor)) return backgroundColor;
  }
  return "Canvas";
}
