export { connectMcpServers } from './connect-mcp-servers.ts';
export { mergeTools } from './merge-tools.ts';
export { type SharedMcpServers, shareMcpServers } from './share-mcp-servers.ts';
