import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createTestMcpServer } from './server.ts';

export interface McpHttpServer {
  readonly url: string;
  readonly requests: readonly IncomingMessage[];
  readonly close: () => Promise<void>;
}

export interface McpHttpServerOptions {
  /** The only bearer token that it takes. */
  readonly token: string;
  /** Default: any free one. */
  readonly port?: number;
  /** Default: the test's server. */
  readonly createServer?: () => McpServer;
}

/** An MCP server on loopback, without sessions. */
export async function startMcpHttpServer({
  token,
  port = 0,
  createServer: createMcpServer = createTestMcpServer,
}: McpHttpServerOptions): Promise<McpHttpServer> {
  const requests: IncomingMessage[] = [];
  const http = createServer(async (request, response) => {
    requests.push(request);
    if (request.headers.authorization !== `Bearer ${token}`) {
      response.writeHead(401).end('no entry');
      return;
    }
    const server = createMcpServer();
    const transport = new StreamableHTTPServerTransport({});
    response.once('close', () => void server.close());
    // The SDK's own types disagree under exactOptionalPropertyTypes.
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    await transport.handleRequest(request, response);
  });
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    requests,
    close: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
