import type { McpServer } from "@modelcontextprotocol/server";
import type { WaybillClient } from "@waybill/client";
import type * as z from "zod";

/** The server and project that the tools read. */
export interface Source {
  readonly client: WaybillClient;
  /** Id or number of the project. */
  readonly project: string;
}

/** Server, project and signal for one tool call. */
export interface Reading extends Source {
  /** Aborts when the assistant cancels the call or disconnects. */
  readonly signal: AbortSignal;
}

/** A tool result, as sentences and as data. */
export interface ToolResult<Data> {
  /** One sentence per line. */
  readonly lines: readonly string[];
  readonly data: Data;
}

/** A read-only tool. */
export interface ReadTool<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** Description of the tool's purpose and usage, for the assistant. */
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  /** Handles a tool call. @throws Error, such as a `WaybillError`. The assistant receives the error's message. */
  readonly response: (args: z.output<Input>, reading: Reading) => Promise<ToolResult<z.output<Output>>>;
}

/** Registers a tool with an MCP server. If the tool throws, the assistant receives an error result. */
export function registerReadTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  server: McpServer,
  source: Source,
  { name, title, description, input, output, response }: ReadTool<Input, Output>,
): void {
  server.registerTool(
    name,
    {
      title,
      description,
      inputSchema: input as z.ZodObject,
      outputSchema: output,
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    async (args, { mcpReq }) => {
      const { lines, data } = await response(args as z.output<Input>, { ...source, signal: mcpReq.signal });
      return { content: [{ type: "text", text: lines.join("\n") }], structuredContent: { ...data } };
    },
  );
}
