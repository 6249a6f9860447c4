import type { RunTools } from '@agent/runner';
import type { Environment } from '../config/load-config.ts';
import type { Config } from '../config/schema.ts';
import type { DaemonLogger } from '../log/logger.ts';
import type { Redact } from '../outgoing/secret-filters.ts';
import { type TimeLimitOptions, withinTimeLimit } from '../time-limit.ts';
import { type ConnectedServer, connectServer } from './connect-server.ts';
import { mergeTools } from './merge-tools.ts';

export interface ConnectMcpServersOptions extends Pick<TimeLimitOptions, 'sleep'> {
  readonly environment: Environment;
  /** The directory of the configuration. */
  readonly directory: string;
  readonly logger: DaemonLogger;
  readonly redact: Redact;
  /** Ends the connecting early. */
  readonly signal: AbortSignal;
  /** Longest time until a server has told its tools. Default 30,000. */
  readonly timeoutMs?: number | undefined;
}

/** What became of one configured server. */
export interface McpServerStatus {
  readonly name: string;
  readonly status: 'connected' | 'failed';
  readonly tools: number;
  readonly error: string | null;
}

export interface McpServers {
  readonly tools: RunTools;
  /** In the order of the configuration. */
  readonly servers: readonly McpServerStatus[];
  /** Ends every server that was started, with everything that it started. */
  readonly close: () => Promise<void>;
}

/**
 * Connects to the MCP servers of the configuration, all at once. One that cannot be started, or hangs, is reported and
 * left out: the others and the daemon's own tools are there all the same.
 */
export async function connectMcpServers(
  servers: Config['mcp_servers'],
  options: ConnectMcpServersOptions,
): Promise<McpServers> {
  const entries = Object.entries(servers);
  const connections = await Promise.all(
    entries.map(([name, config]) => connectOne({ name, config }, options)),
  );
  return {
    tools: connections.reduce<RunTools>((all, { server }) => mergeTools(all, server?.tools ?? {}), {}),
    servers: connections.map(({ status }) => status),
    close: async () => {
      await Promise.all(connections.map(({ server }) => closeQuietly(server, options)));
    },
  };
}

interface Connection {
  readonly status: McpServerStatus;
  readonly server: ConnectedServer | null;
}

async function connectOne(
  named: { readonly name: string; readonly config: Config['mcp_servers'][string] },
  options: ConnectMcpServersOptions,
): Promise<Connection> {
  const { name } = named;
  const { logger, redact, signal, sleep, timeoutMs = 30_000 } = options;
  const tooLong = () => new Error(`It did not tell its tools within ${timeoutMs / 1_000} s.`);
  let connecting: Promise<ConnectedServer | null> = Promise.resolve(null);
  const connect = (within: AbortSignal) => {
    const server = connectServer(named, { ...options, signal: within });
    connecting = server.catch(() => null);
    return server;
  };
  try {
    const server = await withinTimeLimit(connect, { timeoutMs, signal, tooLong, sleep });
    const tools = Object.keys(server.tools);
    logger.info({ server: name, tools }, 'MCP server connected');
    return { server, status: { name, status: 'connected', tools: tools.length, error: null } };
  } catch (error) {
    // It cleans up after itself once it is told to end; what was connected too late is closed.
    await closeQuietly({ close: async () => (await connecting)?.close() }, options);
    signal.throwIfAborted();
    const message = redact(error instanceof Error ? error.message : String(error));
    logger.warn({ server: name, reason: message }, 'an MCP server is left out: its tools are not there');
    return { server: null, status: { name, status: 'failed', tools: 0, error: message } };
  }
}

const closeMs = 5_000;

async function closeQuietly(
  server: Pick<ConnectedServer, 'close'> | null,
  { logger }: ConnectMcpServersOptions,
): Promise<void> {
  if (server === null) return;
  try {
    const tooLong = () => new Error(`An MCP server did not close within ${closeMs / 1_000} s.`);
    await withinTimeLimit(() => server.close(), { timeoutMs: closeMs, tooLong });
  } catch (error) {
    logger.debug({ err: error }, 'an MCP server could not be closed in order');
  }
}
