import { expect, it } from "vitest";
import { importEvents } from "./event-import.js";

it("adds up the counts of all requests, whichever of them an answer leaves out", async () => {
  const answers = [
    { importedCount: "3" },
    { importedCount: "1", optedOutCount: "2", tooLateCount: "4" },
    { tooLateCount: "5" },
  ];
  const events = answers.map((_, i) => Buffer.from(`{"messageId":"${i}"}\n`));
  const send = async () => answers.shift() ?? {};
  expect(await importEvents(send, events, { batchBytes: 1 })).toEqual({
    importedCount: 4,
    optedOutCount: 2,
    tooLateCount: 9,
    bytes: 54,
  });
});
