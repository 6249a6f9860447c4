import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createTestMcpServer } from './server.ts';

await createTestMcpServer().connect(new StdioServerTransport());
