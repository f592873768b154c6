/** Orders texts by their bytes in UTF-8, which is not how JavaScript compares them. */
export const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
