/** Time until the browser has surely read what it was told to save. */
const READ_WITHIN_MS = 60_000;

/** Lets the browser save a file. */
export function download(content: Blob, fileName: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), READ_WITHIN_MS);
}
