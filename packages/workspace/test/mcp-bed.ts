import { fileURLToPath } from 'node:url';
import { createKnownSecrets } from '@agent/text/secrets';
import type { McpServerConfig } from '../src/config/schemas.ts';
import { type ConnectMcpServersOptions, connectMcpServers, type McpServers } from '../src/mcp/mcp-servers.ts';

const file = fileURLToPath(new URL('../../simulators/src/mcp/stdio-server.ts', import.meta.url));

/** The test's MCP server over stdio, as a configuration names it. */
export const stdioServer = { command: process.execPath, args: [file], env: [], tools: null };

/** The value of `TRACKER_TOKEN` in the daemon's environment. */
export const trackerToken = 'TheTokenOfTheTracker0001';

export interface McpBed {
  readonly connect: (
    servers: Readonly<Record<string, McpServerConfig>>,
    options?: Partial<ConnectMcpServersOptions>,
  ) => Promise<McpServers & { readonly log: () => string }>;
  /** Does this, too, at the end. */
  readonly onClose: (close: () => unknown) => void;
  readonly close: () => Promise<void>;
}

/** Connects to MCP servers as the daemon does, and ends them after the test. */
export function createMcpBed(): McpBed {
  const closing: (() => unknown)[] = [];
  return {
    connect: async (servers, options = {}) => {
      const lines: string[] = [];
      const { hide: redact } = createKnownSecrets([trackerToken]);
      const note = (fields: object, message: string) =>
        void lines.push(redact(`${JSON.stringify({ ...fields, msg: message })}\n`));
      const logger = { debug: () => undefined, info: note, warn: note, error: note };
      const pause = async () => undefined;
      const environment = { PATH: process.env.PATH, HOME: '/nonexistent', GITHUB_TOKEN: 'not for you' };
      const mcp = await connectMcpServers(servers, {
        environment: { ...environment, TRACKER_TOKEN: trackerToken },
        directory: process.cwd(),
        logger,
        redact,
        hideKnownSecrets: redact,
        signal: new AbortController().signal,
        pause,
        ...options,
      });
      closing.push(mcp.close);
      return { ...mcp, log: () => lines.splice(0).join('') };
    },
    onClose: (close) => void closing.push(close),
    close: async () => {
      for (const close of closing.splice(0).reverse()) await close();
    },
  };
}
