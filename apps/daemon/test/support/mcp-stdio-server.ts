import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createTestMcpServer } from './mcp-server.ts';

await createTestMcpServer().connect(new StdioServerTransport());
