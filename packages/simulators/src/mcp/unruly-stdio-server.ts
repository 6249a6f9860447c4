import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createUnrulyMcpServer } from './unruly-server.ts';

await createUnrulyMcpServer().connect(new StdioServerTransport());
