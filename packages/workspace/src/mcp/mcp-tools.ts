import { createHash } from 'node:crypto';
import type { RunTool, RunTools } from '../tools/define-tool.ts';
import type { McpConnection, ToolCall } from './keep-server.ts';

interface ToRunToolsOptions {
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

/** Longest name of a function that models take. */
const maxChars = 64;

/**
 * Makes the names under which the model calls the tools of one server: `{server}_{tool}` in letters, digits, `_` and `-`, at
 * most 64. A name that is too long, or that another tool has already, ends in a short hash of the tool's own name, so
 * that it is the same after every start.
 *
 * @returns by the server's own name of each tool, in the order given
 */
export function toToolNames(server: string, tools: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const tool of new Set(tools)) {
    const plain = `${server}_${tool}`.replaceAll(/[^a-zA-Z0-9_-]/g, '_');
    const isPlain = plain.length <= maxChars && !taken.has(plain);
    const name = isPlain ? plain : `${plain.slice(0, maxChars - 9)}_${hash(tool)}`;
    names.set(tool, name);
    taken.add(name);
  }
  return names;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

/** The daemon's own tools and those of MCP servers. A name that ours have already gets a number. */
export function mergeTools(own: RunTools, others: RunTools): RunTools {
  const merged: Record<string, RunTool> = { ...own };
  for (const [name, tool] of Object.entries(others)) {
    let free = name;
    for (let number = 2; Object.hasOwn(merged, free); number += 1) {
      const ending = `_${number}`;
      free = `${name.slice(0, 64 - ending.length)}${ending}`;
    }
    merged[free] = tool;
  }
  return merged;
}
