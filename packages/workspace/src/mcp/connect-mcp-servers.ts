import type { Logger } from '@agent/text';
import type { McpServerConfig } from '../config/mcp-servers-schema.ts';
import type { Environment, RunTools } from '../ports.ts';
import { type TimeLimitOptions, withinTimeLimit } from '../time-limit.ts';
import type { McpConnection } from './connect-server.ts';
import { type KeepServerOptions, type KeptServer, keepServer } from './keep-server.ts';
import { mergeTools } from './merge-tools.ts';
import { findMissingTools, toRunTools } from './to-run-tools.ts';

export interface ConnectMcpServersOptions
  extends Pick<TimeLimitOptions, 'sleep'>,
    Pick<KeepServerOptions, 'now' | 'pause'> {
  readonly environment: Environment;
  /** The directory of the configuration. */
  readonly directory: string;
  readonly logger: Logger;
  /** Takes secrets out of what is told of a server's failure. */
  readonly redact: (text: string) => string;
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
  /** Tools that the configuration allows and the server does not have. */
  readonly missing: readonly string[];
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
 * left out: the others and the daemon's own tools are there all the same. One that ends later is connected anew when a
 * run calls its tools.
 */
export async function connectMcpServers(
  servers: Readonly<Record<string, McpServerConfig>>,
  options: ConnectMcpServersOptions,
): Promise<McpServers> {
  const entries = Object.entries(servers);
  const connections = await Promise.all(
    entries.map(([name, config]) => connectOne({ name, config }, options)),
  );
  return {
    tools: connections.reduce<RunTools>((all, { tools }) => mergeTools(all, tools), {}),
    servers: connections.map(({ status }) => status),
    close: async () => {
      await Promise.all(connections.map(({ server }) => closeQuietly(server, options)));
    },
  };
}

interface Connection {
  readonly status: McpServerStatus;
  readonly tools: RunTools;
  readonly server: Pick<KeptServer, 'close'> | null;
}

interface NamedServer {
  readonly name: string;
  readonly config: McpServerConfig;
}

async function connectOne(named: NamedServer, options: ConnectMcpServersOptions): Promise<Connection> {
  const { name, config } = named;
  const { logger, redact, signal, now, pause } = options;
  const connect = () => connectInTime(named, options);
  try {
    const first = await connect();
    const server = keepServer(first, { name, connect, logger, now, pause });
    const tools = toRunTools(first, { server: name, allowed: config.tools, callTool: server.callTool });
    const missing = findMissingTools(first, config.tools);
    logger.info({ server: name, tools: Object.keys(tools) }, 'MCP server connected');
    if (missing.length > 0)
      logger.warn({ server: name, missing }, 'an MCP server has not all tools of its list');
    const status = {
      name,
      status: 'connected',
      tools: Object.keys(tools).length,
      missing,
      error: null,
    } as const;
    return { server, tools, status };
  } catch (error) {
    signal.throwIfAborted();
    const message = redact(error instanceof Error ? error.message : String(error));
    logger.warn({ server: name, reason: message }, 'an MCP server is left out: its tools are not there');
    return {
      server: null,
      tools: {},
      status: { name, status: 'failed', tools: 0, missing: [], error: message },
    };
  }
}

async function connectInTime(named: NamedServer, options: ConnectMcpServersOptions): Promise<McpConnection> {
  const { signal, sleep, timeoutMs = 30_000 } = options;
  const tooLong = () => new Error(`It did not tell its tools within ${timeoutMs / 1_000} s.`);
  let connecting: Promise<McpConnection | null> = Promise.resolve(null);
  const connect = (within: AbortSignal) => {
    // The client of the protocol takes 2 MB, which a daemon without servers, or without work, need not have.
    const connection = import('./connect-server.ts').then(({ connectServer }) =>
      connectServer(named, { ...options, signal: within }),
    );
    connecting = connection.catch(() => null);
    return connection;
  };
  try {
    return await withinTimeLimit(connect, { timeoutMs, signal, tooLong, sleep });
  } catch (error) {
    // It cleans up after itself once it is told to end; what was connected too late is closed.
    await closeQuietly({ close: async () => (await connecting)?.close() }, options);
    throw error;
  }
}

const closeMs = 5_000;

async function closeQuietly(
  server: Pick<KeptServer, 'close'> | null,
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
