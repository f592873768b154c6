import type { ChartDrawing } from "./chart-drawing.js";

/** Pixels of the image for each CSS pixel: sharp on the screens and in the documents of today. */
const SCALE = 2;

/**
 * Paints a drawing.
 *
 * @throws Error if the browser cannot.
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
