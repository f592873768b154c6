import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { Command } from "commander";
import { excerpt } from "../../limits/excerpt.js";
import { VERSION } from "../../server/operators/version.js";
import {
  type ClientFlags,
  clientOf,
  serverOption,
  tokenFileOption,
  tokenOption,
} from "../support/client-flags.js";
import { failClearly } from "../support/command-failure.js";
import { compareLabels } from "./compare-labels.js";
import { deliveryReport } from "./delivery-report.js";
import { LineTransport } from "./line-transport.js";
import { listApps } from "./list-apps.js";
import { registerReadTool, type Source } from "./read-tool.js";
import { whatChanged } from "./what-changed.js";

const EXAMPLE = `
Example:
  $ WAYBILL_TOKEN="$(waybill token --ttl 12h)" waybill mcp --project demo-project`;

interface McpFlags extends ClientFlags {
  readonly project: string;
}

/** `waybill mcp`: serves a project's delivery data to assistants. */
export function mcpCommand(): Command {
  return new Command("mcp")
    .description("Serve delivery data to assistants (Model Context Protocol) on standard input and output")
    .requiredOption("--project <project>", "id or number of the project")
    .addOption(serverOption("messaging-data"))
    .addOption(tokenOption())
    .addOption(tokenFileOption())
    .addHelpText("after", EXAMPLE)
    .action(failClearly(serve));
}

/** Serves until standard input ends. Standard output contains only protocol messages. */
async function serve(flags: McpFlags): Promise<void> {
  const source = {
    client: clientOf("messaging-data", flags, "--token, --token-file"),
    project: flags.project,
  };
  const transport = new LineTransport(process.stdin, process.stdout, () => {
    process.exitCode = 1;
  });
  serveStdio(() => mcpServer(source), {
    transport,
    onerror: ({ message }) => process.stderr.write(`waybill: ${excerpt(message)}\n`),
  });
}

/** Creates a Model Context Protocol server with tools that read a project's delivery data. */
function mcpServer(source: Source): McpServer {
  const server = new McpServer(
    { name: "waybill", title: "Waybill", version: VERSION },
    { instructions: instructionsFor(source.project) },
  );
  registerReadTool(server, source, deliveryReport);
  registerReadTool(server, source, whatChanged);
  registerReadTool(server, source, compareLabels);
  registerReadTool(server, source, listApps);
  return server;
}

const instructionsFor = (project: string): string =>
  `Delivery of push messages to the Android apps of the project ${project}. ` +
  "Days are in the time zone America/Los_Angeles. A day is listed after it has ended. " +
  "An incident is a series of days on which an outcome's share or the number of messages was outside its usual range.";
