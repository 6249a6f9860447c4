import type { RunTool, RunTools } from '../ports.ts';
import type { McpConnection, ToolCall } from './connect-server.ts';
import { toToolNames } from './tool-names.ts';

export interface ToRunToolsOptions {
  /** Name of the server, which stands before the names of its tools. */
  readonly server: string;
  /** Which tools runs get, by the names that the server gives them; null: all. */
  readonly allowed: readonly string[] | null;
  readonly callTool: (call: ToolCall) => Promise<string>;
}

/** The tools of a server as runs use them: those that its configuration allows. */
export function toRunTools(
  { client, definitions }: Pick<McpConnection, 'client' | 'definitions'>,
  { server, allowed, callTool }: ToRunToolsOptions,
): RunTools {
  const made = client.toolsFromDefinitions(definitions);
  const offered = definitions.tools.filter(({ name }) => allowed?.includes(name) ?? true);
  const names = toToolNames(
    server,
    offered.map(({ name }) => name),
  );
  const tools: Record<string, RunTool> = {};
  for (const definition of offered) {
    const { inputSchema } = made[definition.name] ?? {};
    const name = names.get(definition.name);
    if (inputSchema === undefined || name === undefined) continue;
    tools[name] = {
      description: definition.description ?? definition.title ?? definition.name,
      inputSchema,
      readOnly: definition.annotations?.readOnlyHint === true,
      execute: (input, { signal }) => callTool({ tool: definition.name, input, signal }),
    };
  }
  return tools;
}

/** Names in the list that the server has no tool for. */
export function findMissingTools(
  { definitions }: Pick<McpConnection, 'definitions'>,
  allowed: readonly string[] | null,
): readonly string[] {
  const known = new Set(definitions.tools.map(({ name }) => name));
  return (allowed ?? []).filter((name) => !known.has(name));
}
