import { Command } from "commander";
import { loadConfig } from "../../server/config/config.js";
import type { Config } from "../../server/config/config-schema.js";
import { unknownProjects } from "../../server/config/unknown-projects.js";
import { CommandFailure, failClearly } from "../support/command-failure.js";
import { counted } from "../support/counted.js";

const EXAMPLE = `
Examples:
  $ waybill config check waybill.yaml
  $ waybill config check waybill.yaml --no-files`;

/** `waybill config check`: validates a config file, like a server that starts or reloads the file. */
export function configCheckCommand(): Command {
  return new Command("check")
    .description("Validate a configuration file, without a server, a database or a data directory")
    .argument("<file>", "configuration file (YAML)")
    .option("--no-files", "do not read the certificates, secrets and tokens in files that it names")
    .addHelpText("after", EXAMPLE)
    .action(
      failClearly(async (file: string, { files }: { readonly files: boolean }) => {
        const config = await loadConfig(file);
        if (files) {
          // The server's code is loaded only for this command.
          const { fileProblems } = await import("../../server/config/config-files.js");
          const problems = await fileProblems(config);
          if (problems.length > 0) throw new CommandFailure(problems.join("\n"));
        }
        const isInFile = (name: string) =>
          config.projects.some(({ id, number }) => id === name || number === name);
        for (const line of unknownProjects(config, isInFile)) process.stderr.write(`warning: ${line}\n`);
        process.stdout.write(`${file}: valid; ${summaryOf(config)}\n`);
      }),
    );
}

function summaryOf({ projects, access, auth }: Config): string {
  const apps = projects.reduce((sum, project) => sum + project.apps.length, 0);
  return [
    counted(projects.length, "project"),
    counted(apps, "app"),
    counted(access.length, "access rule"),
    counted(auth.issuers.length, "issuer"),
  ].join(", ");
}
