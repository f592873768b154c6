import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { Command } from "commander";
import { excerpt } from "../limits/excerpt.js";
import { LineTransport } from "./mcp/line-transport.js";
import { mcpServer } from "./mcp/mcp-server.js";
import {
  type ClientFlags,
  clientOf,
  serverOption,
  tokenFileOption,
  tokenOption,
} from "./support/client-flags.js";
import { failClearly } from "./support/fail-clearly.js";

const EXAMPLE = `
Example:
  $ WAYBILL_TOKEN="$(waybill token --ttl 12h)" waybill mcp --project demo-project`;

interface McpFlags extends ClientFlags {
  readonly project: string;
}

/** `waybill mcp`: answers an assistant's questions about the delivery data of a project. */
export function mcpCommand(): Command {
  return new Command("mcp")
    .description("Answer questions of assistants (Model Context Protocol) on standard input and output")
    .requiredOption("--project <project>", "id or number of the project")
    .addOption(serverOption("messaging-data"))
    .addOption(tokenOption())
    .addOption(tokenFileOption())
    .addHelpText("after", EXAMPLE)
    .action(failClearly(serve));
}

/** Serves until standard input ends. Standard output carries the protocol only. */
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
