import * as z from "zod";
import { dateText } from "../../presentation/field-text.js";
import type { ReadTool } from "./read-tool.js";
import { strictArguments } from "./strict-arguments.js";

/** Maximum number of apps to list, so that the result stays readable. */
const MAX_APPS = 200;

const input = strictArguments({});
const output = z.object({
  apps: z.array(z.object({ app: z.string(), firstDay: z.string(), lastDay: z.string() })),
  moreApps: z.boolean().describe("True if further apps were omitted"),
});

export const listApps: ReadTool<typeof input, typeof output> = {
  name: "list_apps",
  title: "List apps",
  description: `List the Android apps with delivery data and their first and last day, by app id; at most ${MAX_APPS}.`,
  input,
  output,
  response: async (_args, { client, project, signal }) => {
    const { androidApps = [], nextPageToken } = await client
      .listAndroidApps({ project, pageSize: MAX_APPS, signal })
      .readPage();
    const apps = androidApps.map(({ appId = "", firstDate, lastDate }) => ({
      app: appId,
      firstDay: dateText(firstDate),
      lastDay: dateText(lastDate),
    }));
    const moreApps = nextPageToken !== undefined;
    return {
      lines: [
        ...(apps.length === 0 ? [`No app of the project ${project} has delivery data.`] : []),
        ...apps.map(({ app, firstDay, lastDay }) => `${app}: data from ${firstDay} to ${lastDay}`),
        ...(moreApps ? ["There are more apps."] : []),
      ],
      data: { apps, moreApps },
    };
  },
};
