import { afterAll, expect, it } from "vitest";
import { EncodedJson } from "../../dist/api/encoded-response.js";
import { ResponseShaper } from "../../dist/transcoding/partial/response-shaper.js";

const SHAPE = { key: "title", isPretty: false, body: { name: "titles", isList: true } };
const titles = Array.from({ length: 10_000 }, (_, index) => `title ${index}`);
const page = (): EncodedJson => new EncodedJson(Buffer.from(JSON.stringify({ titles })));
const shaper = new ResponseShaper();

afterAll(() => shaper.close());

it("shapes a large page once for simultaneous calls", async () => {
  const large = page();
  const shape = (of: EncodedJson) => shaper.shape(of, SHAPE, async () => {});
  const [first, second, other] = await Promise.all([shape(large), shape(large), shape(page())]);
  expect(first.bytes.toString()).toBe(JSON.stringify(titles));
  expect(second).toBe(first);
  expect(other).not.toBe(first);
  expect(await shape(large)).toBe(first);
});
