import type { McpServer } from "@modelcontextprotocol/server";
import type { WaybillClient } from "@waybill/client";
import type { z } from "zod";

/** Server and project of the tools. */
export interface Source {
  readonly client: WaybillClient;
  /** Id or number of the project. */
  readonly project: string;
}

/** The source for one tool call. */
export interface Reading extends Source {
  /** Aborts when the assistant cancels the call or disconnects. */
  readonly signal: AbortSignal;
}

/** A tool result, as sentences and as data. */
export interface ToolAnswer<Data> {
  /** One sentence per line. */
  readonly lines: readonly string[];
  readonly data: Data;
}

/** A read-only tool. */
export interface ReadTool<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** Purpose and usage, for the assistant. */
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  /** @throws Error, such as a `WaybillError`. The assistant receives its message. */
  readonly answer: (args: z.output<Input>, reading: Reading) => Promise<ToolAnswer<z.output<Output>>>;
}

/** Adds a tool to a server. Errors become error results. */
export function registerReadTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  server: McpServer,
  source: Source,
  { name, title, description, input, output, answer }: ReadTool<Input, Output>,
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
      const { lines, data } = await answer(args as z.output<Input>, { ...source, signal: mcpReq.signal });
      return { content: [{ type: "text", text: lines.join("\n") }], structuredContent: { ...data } };
    },
  );
}
