/** Time allowed for the browser to read the file that it saves. */
const READ_WITHIN_MS = 60_000;

/** Makes the browser save a file. */
export function download(content: Blob, fileName: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), READ_WITHIN_MS);
}
