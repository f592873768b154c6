/** Compares texts by their UTF-8 bytes. JavaScript compares UTF-16 code units, which is a different order. */
export const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
