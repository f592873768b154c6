import type { TargetJson } from "@waybill/client";
import type { Command } from "commander";
import { dateText, labelText } from "../presentation/field-text.js";
import { positiveNumber } from "./support/flag-values.js";
import type { ProjectFlags } from "./support/registry-flags.js";
import { resourceCommand } from "./support/resource-command.js";
import { percentText } from "./support/text-table.js";

const EXAMPLES = `\
  $ waybill targets create --project new-shop --app 1:123456789012:android:0a1b2c3d4e5f --delivered 85
  $ waybill targets create --project new-shop --app 1:123456789012:android:0a1b2c3d4e5f --label promo --delivered 80
  $ waybill targets list --project new-shop
  $ waybill targets delete projects/123456789012/targets/7a3f9c520d1e4b68`;

interface CreateFlags extends ProjectFlags {
  readonly app: string;
  readonly label?: string;
  readonly delivered: number;
}

/** `waybill targets`: lists and changes a project's targets on a running server. */
export const targetsCommand = (): Command =>
  resourceCommand({
    name: "targets",
    one: "a target",
    description: "List, create and delete targets: delivered shares that apps and labels must reach each day",
    examples: EXAMPLES,
    listDescription: "Print a project's targets, with their results on the last complete day",
    columns: [
      { title: "app", leastWidth: 16, text: ({ appId = "" }) => appId },
      {
        title: "label",
        leastWidth: 12,
        text: ({ analyticsLabel }) =>
          analyticsLabel === undefined ? "(whole app)" : labelText(analyticsLabel),
      },
      { title: "target %", text: ({ deliveredPercent }) => percentText(deliveredPercent) },
      { title: "observed %", text: ({ observedPercent }) => percentText(observedPercent) },
      { title: "messages", text: ({ acceptedMessageCount = "0" }) => acceptedMessageCount },
      { title: "on", leastWidth: 10, text: ({ evaluatedDate }) => dateText(evaluatedDate) },
      { title: "state", leastWidth: 6, text: ({ state = "" }) => state.toLowerCase().replaceAll("_", " ") },
      { title: "name", leastWidth: 16, text: ({ name = "" }) => name },
    ],
    createDescription: "Set a target for an app or label",
    withOptions: (command) =>
      command
        .requiredOption("--app <app>", "id of the Android app")
        .option(
          "--label <label>",
          'analytics label, "" for messages without a label (default: the whole app)',
        )
        .requiredOption("--delivered <percent>", "minimum delivered share, in percent", positiveNumber(100)),
    read: ({ app, label, delivered }: CreateFlags): TargetJson => ({
      appId: app,
      deliveredPercent: delivered,
      ...(label !== undefined && { analyticsLabel: label }),
    }),
    clientOf: ({ targets }) => targets,
  });
