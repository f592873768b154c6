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

/** Attributes that mean something only on the page. */
const OF_THE_PAGE = /^(class|style|tabindex|role|focusable|aria-.*|data-.*)$/;

/** Copies a drawing with its current colors and fonts. Leaves out hidden elements. */
export function standaloneCopy(drawing: SVGSVGElement): SVGSVGElement {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  inlineStyles(drawing, copy, undefined);
  return copy;
}

// Sets attributes rather than styles, which the policy of an embedding page may forbid.
function inlineStyles(from: Element, to: Element, inherited: CSSStyleDeclaration | undefined): void {
  // Arrays, because the copy shrinks during the walk.
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

/** Removes the page's address, which some browsers add, from references to patterns. */
const localUrls = (value: string): string => value.replace(/url\("?[^"#)]*#([^")]+)"?\)/g, "url(#$1)");
