import type { RunTools } from '@agent/runner';
import type { LoadedConfig } from '../config/load-config.ts';
import type { DaemonLogger } from '../log/logger.ts';
import type { Redact } from '../outgoing/secret-filters.ts';
import type { McpServers } from './connect-mcp-servers.ts';

export interface ShareMcpServersOptions {
  readonly loaded: LoadedConfig;
  readonly logger: DaemonLogger;
  readonly redact: Redact;
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
  const { loaded, shutdown } = options;
  const { mcp_servers: servers } = loaded.config;
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

async function connect({ loaded, logger, redact, shutdown }: ShareMcpServersOptions): Promise<McpServers> {
  const { connectMcpServers } = await import('./connect-mcp-servers.ts');
  const { config, environment, directory } = loaded;
  const signal = shutdown;
  return connectMcpServers(config.mcp_servers, { environment, directory, logger, redact, signal });
}
