import { type Logger, toErrorMessage } from '@agent/text';
import { checkOptions, checkValue, type ExpectationsOf, expected, expectNumber } from '@agent/text/options';
import { type TimeLimitOptions, withinTimeLimit } from '@agent/text/waiting';
import type { McpServerConfig } from '../config/schemas.ts';
import type { Environment } from '../git/git-environment.ts';
import type { RunTools } from '../tools/define-tool.ts';
import { cleanDefinitions } from './clean-definitions.ts';
import {
  createMemoryPins,
  type GuardedConnection,
  guardTools,
  nameToAccept,
  type ToolPins,
} from './guard-tools.ts';
import { type KeepServerOptions, type KeptServer, keepServer } from './keep-server.ts';
import { findMissingTools, mergeTools, toRunTools } from './mcp-tools.ts';

export interface ConnectMcpServersOptions
  extends Pick<TimeLimitOptions, 'sleep'>,
    Pick<KeepServerOptions, 'now' | 'pause'> {
  readonly environment: Environment;
  /** The directory of the configuration: servers are started there, and relative paths in their arguments begin there. */
  readonly directory: string;
  readonly logger: Logger;
  /** Takes secrets out of what is told of a server's failure. */
  readonly redact: (text: string) => string;
  /** Hides secrets in what a server answers, before any of it is left out. */
  readonly hideKnownSecrets: (text: string) => string;
  /** Ends the connecting early. */
  readonly signal: AbortSignal;
  /** Fingerprints of the tools that were accepted. Default: kept until the end of the process. */
  readonly pins?: ToolPins | undefined;
  /** Longest time until a server has told its tools. Default 30,000. */
  readonly timeoutMs?: number | undefined;
}

const required = ['environment', 'directory', 'logger', 'redact', 'hideKnownSecrets', 'signal'] as const;

const expectations: ExpectationsOf<ConnectMcpServersOptions> = {
  environment: expected.object,
  directory: expected.text,
  logger: expected.logger,
  redact: expected.function,
  hideKnownSecrets: expected.function,
  signal: expected.signal,
  pins: expected.object,
  timeoutMs: expectNumber(0),
  sleep: expected.function,
  now: expected.function,
  pause: expected.function,
};

/** The outcome for one configured server. */
interface McpServerStatus {
  readonly name: string;
  readonly status: 'connected' | 'failed';
  readonly tools: number;
  /** Tools that the configuration allows and the server does not have. */
  readonly missing: readonly string[];
  /** Tools that are not offered until an operator accepts them, under the names for that. */
  readonly waiting: readonly string[];
  readonly error: string | null;
  /** Thrown error behind `error`, for its codes; null without one. May contain secrets. */
  readonly cause: unknown;
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
 *
 * @example
 * const servers = { files: { command: 'files-server', args: [], env: [], tools: null } };
 * const { redactOutgoing: redact, hideKnownSecrets } = createSecretFilters([]);
 * const surroundings = { environment: process.env, directory: '/srv/agent', logger: console, redact, hideKnownSecrets };
 * const { signal } = new AbortController();
 * const { tools, close } = await connectMcpServers(servers, { ...surroundings, signal });
 */
export async function connectMcpServers(
  servers: Readonly<Record<string, McpServerConfig>>,
  options: ConnectMcpServersOptions,
): Promise<McpServers> {
  checkValue('servers', servers, { ...expected.object, text: 'an object of servers by their names' });
  checkOptions('ConnectMcpServersOptions', options, expectations, required);
  const entries = Object.entries(servers);
  const pins = options.pins ?? createMemoryPins();
  const connections = await Promise.all(
    entries.map(([name, config]) => connectOne({ name, config }, { ...options, pins })),
  );
  return {
    tools: connections.reduce<RunTools>((all, { tools }) => mergeTools(all, tools), {}),
    servers: connections.map(({ status }) => status),
    close: async () => {
      await Promise.all(connections.map(({ server }) => closeQuietly(server, options)));
    },
  };
}

interface ShareMcpServersOptions
  extends Pick<
    ConnectMcpServersOptions,
    'environment' | 'directory' | 'logger' | 'redact' | 'hideKnownSecrets' | 'pins'
  > {
  readonly servers: Readonly<Record<string, McpServerConfig>>;
  readonly shutdown: AbortSignal;
}

/** The MCP servers that all runs of this process share. */
export interface SharedMcpServers {
  /** Connects at the first call. */
  readonly tools: () => Promise<RunTools>;
  /** Lists the tools of configured servers that wait for an operator, such as `mcp:tracker/list`. */
  readonly listWaiting: () => Promise<readonly string[]>;
  /** Ends what was started. */
  readonly close: () => Promise<void>;
}

/**
 * Connects to the servers once, when the first run asks for their tools: a daemon without work, or without MCP servers,
 * starts none and loads nothing for them.
 *
 * @example
 * const mcp = shareMcpServers({ servers, ...surroundings, shutdown: signal });
 * const tools = mergeTools(createFileTools('/srv/worktree'), await mcp.tools());
 */
export function shareMcpServers(options: ShareMcpServersOptions): SharedMcpServers {
  let connecting: Promise<McpServers> | null = null;
  const { servers, shutdown, pins = createMemoryPins(), ...surroundings } = options;
  return {
    listWaiting: async () => (await pins.listRefused()).filter((name) => isAllowed(name, servers)),
    tools: async () => {
      if (Object.keys(servers).length === 0 || shutdown.aborted) return {};
      connecting ??= connectMcpServers(servers, { ...surroundings, pins, signal: shutdown });
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

function isAllowed(name: string, servers: ShareMcpServersOptions['servers']): boolean {
  return Object.entries(servers).some(([server, { tools }]) =>
    tools === null
      ? name.startsWith(nameToAccept(server, ''))
      : tools.some((tool) => name === nameToAccept(server, tool)),
  );
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

interface PinnedOptions extends ConnectMcpServersOptions {
  readonly pins: ToolPins;
}

async function connectOne(named: NamedServer, options: PinnedOptions): Promise<Connection> {
  const { name, config } = named;
  const { logger, redact, signal, now, pause } = options;
  const connect = () => connectInTime(named, options);
  try {
    const first = await connect();
    const server = keepServer(first, { name, connect, logger, now, pause });
    const tools = offerTools(first, { server, named, logger });
    const missing = findMissingTools(first, config.tools);
    logger.info({ server: name, tools: Object.keys(tools) }, 'connected to MCP server');
    if (missing.length > 0) logger.warn({ server: name, missing }, 'MCP server lacks listed tools');
    const status = {
      name,
      status: 'connected',
      tools: Object.keys(tools).length,
      missing,
      waiting: listWaiting(first, named),
      error: null,
      cause: null,
    } as const;
    return { server, tools, status };
  } catch (error) {
    signal.throwIfAborted();
    const message = redact(toErrorMessage(error));
    logger.warn({ server: name, reason: message }, 'skipped MCP server: failed to connect');
    return {
      server: null,
      tools: {},
      status: { name, status: 'failed', tools: 0, missing: [], waiting: [], error: message, cause: error },
    };
  }
}

function listWaiting({ changed }: GuardedConnection, { name, config }: NamedServer): readonly string[] {
  const allowed = [...changed].filter((tool) => config.tools?.includes(tool) ?? true);
  return allowed.map((tool) => nameToAccept(name, tool));
}

/** Tools that are as accepted, without hidden text. */
function offerTools(
  { client, definitions, changed }: GuardedConnection,
  {
    server,
    named,
    logger,
  }: { readonly server: KeptServer; readonly named: NamedServer; readonly logger: Logger },
): RunTools {
  const { definitions: cleaned, refused } = cleanDefinitions(definitions);
  const { name, config } = named;
  if (refused.length > 0)
    logger.warn(
      { server: name, tools: refused },
      'skipped MCP tools: long schema or hidden text in its names',
    );
  const tools = cleaned.tools.filter((tool) => !changed.has(tool.name));
  return toRunTools(
    { client, definitions: { tools } },
    { server: name, allowed: config.tools, callTool: server.callTool },
  );
}

async function connectInTime(named: NamedServer, options: PinnedOptions): Promise<GuardedConnection> {
  const { signal, sleep, pins, logger, timeoutMs = 30_000 } = options;
  const tooLong = () => new Error(`It did not list its tools within ${timeoutMs / 1_000} s.`);
  let connecting: Promise<GuardedConnection | null> = Promise.resolve(null);
  const connect = (within: AbortSignal) => {
    // The client of the protocol takes 2 MB, which a daemon without servers, or without work, need not have.
    const connection = import('./connect-server.ts').then(async ({ connectServer }) => {
      const connected = await connectServer(named, { ...options, signal: within });
      try {
        return await guardTools(connected, { server: named.name, pins, logger });
      } catch (error) {
        await connected.close();
        throw error;
      }
    });
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
    logger.debug({ err: error }, 'failed to close MCP server');
  }
}
