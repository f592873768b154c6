/** Returns the value at an index. @throws RangeError if there is none. */
export function at<T>(values: ArrayLike<T>, index: number): T {
  const value = values[index];
  if (value === undefined) throw new RangeError(`there is no value at ${index} of ${values.length}`);
  return value;
}
