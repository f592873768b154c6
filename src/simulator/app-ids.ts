/**
 * Returns `count` Android app ids of the project with the number 123456789012. The first is always the same
 * well-known id.
 */
export function appIds(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const suffix = (0x0a1b2c3d4e5f + index * 0x010101010101) % 2 ** 48;
    return `1:123456789012:android:${suffix.toString(16).padStart(12, "0")}`;
  });
}
