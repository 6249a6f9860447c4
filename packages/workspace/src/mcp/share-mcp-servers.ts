import type { Logger } from '@agent/text';
import type { McpServerConfig } from '../config/mcp-servers-schema.ts';
import type { Environment, RunTools } from '../ports.ts';
import { connectMcpServers, type McpServers } from './connect-mcp-servers.ts';

export interface ShareMcpServersOptions {
  readonly servers: Readonly<Record<string, McpServerConfig>>;
  readonly environment: Environment;
  /** Where servers are started and relative paths in their arguments begin. */
  readonly directory: string;
  readonly logger: Logger;
  readonly redact: (text: string) => string;
  readonly shutdown: AbortSignal;
}

/** The MCP servers that all runs of this process share. */
export interface SharedMcpServers {
  /** Connects at the first call. */
  readonly tools: () => Promise<RunTools>;
  /** Ends what was started. */
  readonly close: () => Promise<void>;
}

/** A daemon without work, or without MCP servers, starts none and loads nothing for them. */
export function shareMcpServers(options: ShareMcpServersOptions): SharedMcpServers {
  let connecting: Promise<McpServers> | null = null;
  const { servers, shutdown } = options;
  return {
    tools: async () => {
      if (Object.keys(servers).length === 0 || shutdown.aborted) return {};
      connecting ??= connect(options);
      try {
        return (await connecting).tools;
      } catch (error) {
        // The end came while they were being connected: whoever asked ends as well.
        if (shutdown.aborted) return {};
        throw error;
      }
    },
    close: async () => {
      const connected = await connecting?.catch(() => null);
      await connected?.close();
    },
  };
}

async function connect({
  servers,
  shutdown: signal,
  ...options
}: ShareMcpServersOptions): Promise<McpServers> {
  return connectMcpServers(servers, { ...options, signal });
}
