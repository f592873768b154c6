export interface SvgFacts {
  /** Name of the root element. */
  readonly kind: string;
  readonly title: string | null | undefined;
  readonly texts: readonly (string | null)[];
  /** Width and height in pixels. */
  readonly size: readonly number[];
}

/** Runs in a page without a policy: reads an SVG. */
export function factsOfSvg(svg: string): SvgFacts {
  const { documentElement: root } = new DOMParser().parseFromString(svg, "image/svg+xml");
  const texts = [...root.querySelectorAll("text")].map((each) => each.textContent);
  const size = ["width", "height"].map((name) => Number(root.getAttribute(name)));
  return { kind: root.nodeName, title: root.querySelector("title")?.textContent, texts, size };
}

/** Runs in a page without a policy: the number of colors that more than 200 pixels of a PNG in base64 have. */
export async function countColors(png: string): Promise<number> {
  const bytes = Uint8Array.from(atob(png), (each) => each.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("the page cannot draw");
  context.drawImage(image, 0, 0);
  const pixels = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
  const counts = new Map<number, number>();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  return [...counts.values()].filter((count) => count > 200).length;
}
