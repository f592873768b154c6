import { appIds } from "#dist/simulator/simulate-traffic.js";
import type { ListQuestion } from "../processes/list-client.js";
import { makeEntries } from "../support/data/delivery-data.js";
import { largePage, MAX_PAGE_SIZE, SHAPES } from "../support/data/large-page.js";
import { compare, type Measurement, timeLine } from "../support/measurement.js";
import { Process } from "../support/process.js";
import { processorTimeOf } from "../support/processor-time.js";
import type { Row } from "../support/row.js";
import { PROJECT, startWaybill } from "../support/waybill-server.js";

const MOST = 3;

/**
 * Large pages with `fields` or `prettyPrint`, compared with the same pages without them: one page repeatedly, which is
 * cached before it is shaped, and different pages.
 */
export const shapedListRow: Row = {
  name: "shaped-list",
  measure: async ({ runs, shapedPages }, directory) => {
    const [app = ""] = appIds(1);
    await makeEntries(directory, [app], MAX_PAGE_SIZE);
    const { messagingDataUrl, token, pid, stop } = await startWaybill(directory);
    const client = new Process<ListQuestion, number>("list-client");
    let page = 0;
    /** Mean processor time of a request, in milliseconds. */
    const processorTime = async (shape: string | undefined, nextPage: () => number): Promise<number> => {
      const urls = Array.from({ length: shapedPages }, () => {
        const url = messagingDataUrl + largePage({ project: PROJECT, app }, nextPage());
        return shape === undefined ? url : `${url}&${shape}`;
      });
      const before = processorTimeOf(pid);
      await client.ask({ urls, token, concurrency: 1 });
      return (processorTimeOf(pid) - before) / shapedPages;
    };
    const kinds = [
      { kind: "repeated", nextPage: () => 0 },
      { kind: "each another page", nextPage: () => page++ },
    ];
    try {
      const lines: Measurement[] = [];
      for (const [parameter, shape] of SHAPES) {
        for (const { kind, nextPage } of kinds) {
          for (const warmedUp of [shape, undefined]) await processorTime(warmedUp, nextPage);
          const times = await compare(
            runs,
            () => processorTime(shape, nextPage),
            () => processorTime(undefined, nextPage),
          );
          lines.push(timeLine(`processor time of \`${parameter}\`, 10,000 entries, ${kind}`, times, MOST));
        }
      }
      return lines;
    } finally {
      await client.stop();
      await stop();
    }
  },
};
