import type { Logger } from '@agent/text';
import { createMCPClient, type ListToolsResult, type MCPClient, MCPClientError } from '@ai-sdk/mcp';
import type { McpServerConfig } from '../config/mcp-servers-schema.ts';
import type { Environment } from '../ports.ts';
import { notCarriedOut } from './not-carried-out.ts';
import { renderResult } from './render-result.ts';
import { createStdioTransport, type StdioTransport } from './stdio-transport.ts';

export interface ConnectServerOptions {
  readonly environment: Environment;
  /** Where servers are started and relative paths in their arguments begin. */
  readonly directory: string;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** A call of one tool, by the name that its server gave it. */
export interface ToolCall {
  readonly tool: string;
  readonly input: unknown;
  readonly signal: AbortSignal | undefined;
}

/** One connection to a server, until either side ends it. */
export interface McpConnection {
  readonly client: Pick<MCPClient, 'toolsFromDefinitions'>;
  /** What the server told of its tools. */
  readonly definitions: ListToolsResult;
  /** Rejects also when the tool itself says that it failed, so that the model learns it. */
  readonly callTool: (call: ToolCall) => Promise<string>;
  /** How the server ended, or why it was not reached; null while it can be asked. */
  readonly describeEnd: () => string | null;
  readonly close: () => Promise<void>;
}

/**
 * Starts or reaches one MCP server and asks for its tools.
 *
 * @throws what the server said or how it ended; nothing of it is left running then
 */
export async function connectServer(
  server: { readonly name: string; readonly config: McpServerConfig },
  options: ConnectServerOptions,
): Promise<McpConnection> {
  const { name, config } = server;
  const { signal } = options;
  const stdio = 'command' in config ? createStdioTransport(toStdioServer(config, options)) : null;
  let client: MCPClient | null = null;
  const close = async () => {
    await client?.close();
    await stdio?.close();
  };
  try {
    client = await createMCPClient({
      transport: stdio ?? toHttpTransport(config as HttpConfig, options.environment),
      clientName: 'agent-daemon',
      initializationOptions: { signal },
      onUncaughtError: (error) =>
        options.logger.debug({ server: name, err: error }, 'an MCP server misbehaves'),
    });
    const definitions = await listTools(client, signal);
    return { client, definitions, ...createCaller({ name, client, stdio }), close };
  } catch (error) {
    await close().catch(() => undefined);
    const end = signal.aborted ? null : (stdio?.describeEnd() ?? null);
    throw end === null ? error : new Error(`${(error as Error).message} (${end})`, { cause: error });
  }
}

type StdioConfig = Extract<McpServerConfig, { command: string }>;
type HttpConfig = Extract<McpServerConfig, { url: string }>;

/** PATH, HOME and what the configuration lists: a server gets no secret that was not meant for it. */
function toStdioServer(config: StdioConfig, { environment, directory }: ConnectServerOptions) {
  const names = ['PATH', 'HOME', ...config.env];
  const entries = names.map((name) => [name, environment[name]] as const);
  const given = entries.filter((entry): entry is readonly [string, string] => entry[1] !== undefined);
  return { command: config.command, args: config.args, environment: Object.fromEntries(given), directory };
}

function toHttpTransport({ url, token_env: tokenName }: HttpConfig, environment: Environment) {
  const headers = tokenName === null ? {} : { headers: { authorization: `Bearer ${readToken()}` } };
  return { type: 'http' as const, url, ...headers };

  function readToken(): string {
    const token = environment[tokenName ?? '']?.trim();
    if (token) return token;
    throw new Error(
      `${tokenName} is not set. It holds the token of the MCP server at ${url}. Set it in the environment.`,
    );
  }
}

async function listTools(client: MCPClient, signal: AbortSignal): Promise<ListToolsResult> {
  let page = await client.listTools({ options: { signal } });
  const tools = [...page.tools];
  while (page.nextCursor !== undefined) {
    page = await client.listTools({ params: { cursor: page.nextCursor }, options: { signal } });
    tools.push(...page.tools);
  }
  return { tools };
}

interface ToolHome {
  readonly name: string;
  readonly client: MCPClient;
  readonly stdio: StdioTransport | null;
}

function createCaller({ name, client, stdio }: ToolHome): Pick<McpConnection, 'callTool' | 'describeEnd'> {
  let unreached: string | null = null;
  const describeEnd = () => (stdio === null ? unreached : stdio.describeEnd());
  return {
    describeEnd,
    callTool: async ({ tool, input, signal }) => {
      const args = (input ?? {}) as Record<string, unknown>;
      const call = { name: tool, arguments: args, ...(signal === undefined ? {} : { options: { signal } }) };
      const result = await client.callTool(call).catch((cause: unknown) => {
        signal?.throwIfAborted();
        const message = (cause as Error).message;
        if (!isAnswer(cause)) unreached = message;
        const end = describeEnd();
        const why = end === null ? message : `${end}; it is connected anew at the next call of its tools`;
        throw notCarriedOut({ server: name, tool, why }, { cause });
      });
      const text = renderResult(result);
      if ('isError' in result && result.isError === true) throw new Error(text);
      return text;
    },
  };
}

/** An error with a code of JSON-RPC was said by the server itself, which is there, then. */
const isAnswer = (error: unknown) => MCPClientError.isInstance(error) && error.code !== undefined;
