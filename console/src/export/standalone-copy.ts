/** What a drawing takes from the style sheets of the page and hands down to its parts, all of it as attributes of SVG. */
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

/** What only means something on the page. */
const OF_THE_PAGE = /^(class|style|tabindex|role|focusable|aria-.*|data-.*)$/;

/**
 * Copies a drawing off the page, with the colors and fonts that it has just now. What carries `data-transient` stays
 * behind, as does what is not shown.
 */
export function standaloneCopy(drawing: SVGSVGElement): SVGSVGElement {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  inlineStyles(drawing, copy, undefined);
  return copy;
}

// As attributes rather than styles, which the policy of a page may forbid where the drawing is put into one.
function inlineStyles(from: Element, to: Element, inherited: CSSStyleDeclaration | undefined): void {
  // As lists: the copy shrinks while it is walked.
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
    if (!isShown || original.hasAttribute("data-transient")) copied.remove();
    else inlineStyles(original, copied, style);
  });
}

/** Patterns are named by the address of the page in some browsers; in the file they are named within it. */
const localUrls = (value: string): string => value.replace(/url\("?[^"#)]*#([^")]+)"?\)/g, "url(#$1)");
