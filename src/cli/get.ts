import type { AppAttestConfigRef } from "@waybill/client";
import { Command } from "commander";
import type { AppAttestConfigJson } from "../gen/waybill/integrity/v1/integrity_pb.js";
import { type ClientFlags, clientOf, serverOption, tokenOption } from "./support/client-flags.js";
import { CommandFailure, failClearly } from "./support/command-failure.js";
import { formatOption } from "./support/page-formats.js";
import { print } from "./support/print.js";

const EXAMPLE = `
Examples:
  $ waybill get --project demo-project --app 1:123456789012:ios:0a1b2c3d4e5f --token "$(waybill token)"
  $ WAYBILL_TOKEN=$(waybill token) waybill get --format json projects/demo-project/apps/an-app/appAttestConfig`;

interface GetFlags extends ClientFlags {
  readonly project?: string;
  readonly app?: string;
  readonly format: keyof typeof FORMATS;
}

const FORMATS = {
  table: (config: AppAttestConfigJson): string => {
    const fields = Object.entries(config);
    const width = Math.max(...fields.map(([name]) => name.length));
    return fields.map(([name, value]) => `${name.padEnd(width)}  ${value}\n`).join("");
  },
  json: (config: AppAttestConfigJson): string => `${JSON.stringify(config, null, 2)}\n`,
};

/** `waybill get`: prints an app-attestation configuration. */
export function getCommand(): Command {
  return new Command("get")
    .description("Print the app-attestation configuration of an app")
    .argument("[name]", "resource name, instead of --project and --app")
    .option("--project <project>", "id or number of the project")
    .option("--app <app>", "id of the app")
    .addOption(formatOption(FORMATS))
    .addOption(serverOption("integrity"))
    .addOption(tokenOption())
    .addHelpText("after", EXAMPLE)
    .action(
      failClearly(async (name: string | undefined, flags: GetFlags) => {
        const ref = refOf(name, flags);
        const config = await clientOf("integrity", flags).getAppAttestConfig(ref);
        await print([FORMATS[flags.format](config)]);
      }),
    );
}

function refOf(name: string | undefined, { project, app }: GetFlags): AppAttestConfigRef {
  if (name !== undefined && project === undefined && app === undefined) return { name };
  if (name === undefined && project !== undefined && app !== undefined) return { project, app };
  throw new CommandFailure("set either a resource name, or --project and --app");
}
