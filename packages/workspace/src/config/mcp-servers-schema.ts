import { z } from 'zod';
import { httpUrl, variableName } from './scalars.ts';

const tools = {
  /** Tools that runs get, by the names that the server gives them; null: all. */
  tools: z.array(z.string().min(1)).min(1).nullable().default(null),
};

const mcpServer = z.union([
  z.strictObject({
    ...tools,
    command: z.string().min(1),
    args: z.array(z.string()).default([]),
    /** Variables of the process's environment that the server gets, beside PATH and HOME. */
    env: z.array(variableName).default([]),
  }),
  z.strictObject({
    ...tools,
    url: httpUrl,
    /** Variable that holds the bearer token. */
    token_env: variableName.nullable().default(null),
  }),
]);

/** `mcp_servers`: MCP servers by name; the name stands before the names of their tools. */
export const mcpServersSchema = z
  .record(z.string().regex(/^[a-z][a-z0-9_-]{0,30}$/, 'must be a short name in lower case'), mcpServer)
  .default({});

/** Configuration of one MCP server: a command to start, or an address. */
export type McpServerConfig = z.infer<typeof mcpServer>;
