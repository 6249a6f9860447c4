import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createUnrulyMcpServer } from './mcp-unruly-server.ts';

await createUnrulyMcpServer().connect(new StdioServerTransport());
