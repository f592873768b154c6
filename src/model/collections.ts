/** Returns the value at an index. @throws RangeError if the list has no such index. */
export function at<T>(values: ArrayLike<T>, index: number): T {
  const value = values[index];
  if (value === undefined)
    throw new RangeError(`index ${index} is out of range: there are ${values.length} values`);
  return value;
}

/**
 * Returns the byte at an index. In loops over many bytes, this function is faster than {@link at}, which accepts all
 * kinds of lists.
 *
 * @throws RangeError if the bytes have no such index.
 */
export function byteAt(bytes: Uint8Array, index: number): number {
  const byte = bytes[index];
  if (byte === undefined)
    throw new RangeError(`index ${index} is out of range: there are ${bytes.length} bytes`);
  return byte;
}

/**
 * Compares strings by their UTF-8 bytes, which is the order of code points. JavaScript itself compares UTF-16 code
 * units.
 */
export function byBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const difference = rank(a.charCodeAt(at)) - rank(b.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Ranks a UTF-16 code unit. Surrogates rank last, because they encode the highest code points. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/** Groups items by key. Keys and items keep their order of appearance. */
export function groupBy<K, T>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
