export { listRefused, type PinnedTools, pinTools, type ToolPins } from './guard-tools.ts';
export { connectMcpServers, type SharedMcpServers, shareMcpServers } from './mcp-servers.ts';
export { mergeTools } from './mcp-tools.ts';
