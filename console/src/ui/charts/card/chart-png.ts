import type { ChartDrawing } from "./chart-drawing.js";

/** Image pixels for each CSS pixel, for sharp pictures on screens and in documents. */
const SCALE = 2;

/**
 * Renders a drawing as PNG.
 * @throws Error if the browser cannot render it.
 */
export async function pngOf({ text, width, height }: ChartDrawing): Promise<Blob> {
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
      canvas.toBlob((blob) => (blob === null ? reject(new Error("no image came of it")) : resolve(blob)));
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}
