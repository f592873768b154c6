import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_PIECE_BYTES as PIECE } from "./request-limits.js";
import { UnreadBytes } from "./unread-bytes.js";

const page = () => Buffer.alloc(4 * PIECE);

describe("UnreadBytes", () => {
  it("counts a small response by its size, and a large response with one additional piece", () => {
    const unread = new UnreadBytes({ total: 100 * PIECE, each: 100 * PIECE });
    unread.hold("a", Buffer.alloc(10));
    expect(unread.total).toBe(10);
    unread.hold("a", page());
    expect(unread.total).toBe(10 + 5 * PIECE);
  });

  it("counts the memory that a caller's responses share once, until the last of them was read", () => {
    const unread = new UnreadBytes({ total: 100 * PIECE, each: 100 * PIECE });
    const shared = page();
    const releases = [unread.hold("a", shared), unread.hold("a", shared), unread.hold("b", shared)];
    expect(unread.total).toBe(2 * 4 * PIECE + 3 * PIECE);
    releases[0]?.();
    releases[0]?.();
    expect(unread.total).toBe(2 * 4 * PIECE + 2 * PIECE);
    releases[1]?.();
    expect(unread.total).toBe(5 * PIECE);
    releases[2]?.();
    expect(unread.total).toBe(0);
  });

  it("rejects a caller that has used its share, and accepts other callers", () => {
    const unread = new UnreadBytes({ total: 100 * PIECE, each: 9 * PIECE });
    expect(unread.hold("a", page())).toBeDefined();
    expect(unread.hold("a", page())).toBeUndefined();
    expect(unread.hold("b", page())).toBeDefined();
    expect(unread.total).toBe(10 * PIECE);
  });

  it("never exceeds its limits, and is empty once all responses were read", () => {
    const pages = [page(), page(), Buffer.alloc(PIECE / 2), Buffer.alloc(2 * PIECE)];
    const step = fc.record({ caller: fc.constantFrom("a", "b"), page: fc.constantFrom(...pages) });
    fc.assert(
      fc.property(fc.array(step), fc.infiniteStream(fc.nat()), (steps, picks) => {
        const unread = new UnreadBytes({ total: 12 * PIECE, each: 8 * PIECE });
        const releases = [];
        for (const { caller, page } of steps) {
          const release = unread.hold(caller, page);
          expect(unread.total).toBeLessThanOrEqual(12 * PIECE);
          if (release !== undefined) releases.push(release);
        }
        while (releases.length > 0) {
          const [release] = releases.splice((picks.next().value ?? 0) % releases.length, 1);
          release?.();
        }
        expect(unread.total).toBe(0);
      }),
    );
  });
});
