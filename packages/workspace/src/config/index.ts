export { type McpServerConfig, mcpServersSchema } from './mcp-servers-schema.ts';
export { runCommandSchema } from './run-command-schema.ts';
