export { type McpServerConfig, mcpServersSchema } from './mcp-servers-schema.ts';
export { runCommandSchema } from './run-command-schema.ts';
export { httpUrl, seconds, variableName } from './scalars.ts';
