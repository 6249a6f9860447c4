import type { Logger } from '@agent/text';
import {
  type CallToolResult,
  createMCPClient,
  type ListToolsResult,
  type MCPClient,
  MCPClientError,
} from '@ai-sdk/mcp';
import type { McpServerConfig } from '../config/schemas.ts';
import type { Environment } from '../git/git-environment.ts';
import { createCappedOutput, type HideSecrets } from '../tools/capped-output.ts';
import { type McpConnection, notCarriedOut, type ToolCall } from './keep-server.ts';
import { createStdioTransport, type StdioTransport } from './stdio-transport.ts';

interface ConnectServerOptions {
  readonly environment: Environment;
  /** Directory in which servers are started, so that relative paths in their arguments begin there. */
  readonly directory: string;
  readonly logger: Logger;
  readonly redact: (text: string) => string;
  readonly hideKnownSecrets: (text: string) => string;
  readonly signal: AbortSignal;
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
  const notified = { isNew: false };
  const close = async () => {
    await client?.close();
    await stdio?.close();
  };
  try {
    client = await createMCPClient({
      transport: stdio ?? toHttpTransport(config as HttpConfig, options.environment),
      clientName: 'agent-daemon',
      initializationOptions: { signal },
      // The client reports each notification here, such as that the list of tools has changed, without its name.
      onUncaughtError: (error) => {
        notified.isNew = true;
        options.logger.debug({ server: name, err: error }, 'received MCP server error');
      },
    });
    const definitions = await listTools(client, signal);
    const caller = createCaller({ name, client, stdio, notified, ...options });
    return { client, definitions, ...caller, close };
  } catch (error) {
    await close().catch(() => undefined);
    const end = signal.aborted ? null : (stdio?.describeEnd() ?? null);
    throw end === null ? error : new Error(`${(error as Error).message} (${end})`, { cause: error });
  }
}

type StdioConfig = Extract<McpServerConfig, { command: string }>;

type HttpConfig = Extract<McpServerConfig, { url: string }>;

/** PATH, HOME and what the configuration lists: a server gets no secret that was not meant for it. */
function toStdioServer(config: StdioConfig, { environment, directory, redact }: ConnectServerOptions) {
  const names = ['PATH', 'HOME', ...config.env];
  const entries = names.map((name) => [name, environment[name]] as const);
  const given = entries.filter((entry): entry is readonly [string, string] => entry[1] !== undefined);
  const { command, args } = config;
  return { command, args, environment: Object.fromEntries(given), directory, redact };
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

async function listTools(client: MCPClient, signal: AbortSignal | undefined): Promise<ListToolsResult> {
  const options = signal === undefined ? {} : { signal };
  let page = await client.listTools({ options });
  const tools = [...page.tools];
  while (page.nextCursor !== undefined) {
    page = await client.listTools({ params: { cursor: page.nextCursor }, options });
    tools.push(...page.tools);
  }
  return { tools };
}

interface ToolHome extends Pick<ConnectServerOptions, 'hideKnownSecrets'> {
  readonly name: string;
  readonly client: MCPClient;
  readonly stdio: StdioTransport | null;
  /** Tells whether the server has sent a notification since the tools were listed. */
  readonly notified: { isNew: boolean };
}

function createCaller({
  name,
  client,
  stdio,
  notified,
  hideKnownSecrets,
}: ToolHome): Pick<McpConnection, 'callTool' | 'describeEnd' | 'listChangedTools'> {
  let unreached: string | null = null;
  const describeEnd = () => (stdio === null ? unreached : stdio.describeEnd());
  const fail = (cause: unknown, { tool, signal }: ToolCall): never => {
    signal?.throwIfAborted();
    const message = (cause as Error).message;
    if (!isAnswer(cause)) unreached = message;
    const end = describeEnd();
    const why = end === null ? message : `${end}; it is reconnected at the next call of its tools`;
    throw notCarriedOut({ server: name, tool, why }, { cause });
  };
  return {
    describeEnd,
    listChangedTools: async (call) => {
      if (!notified.isNew) return null;
      notified.isNew = false;
      return listTools(client, call.signal).catch((cause: unknown) => {
        notified.isNew = true;
        return fail(cause, call);
      });
    },
    callTool: async (call) => {
      const { tool, input, signal } = call;
      const args = (input ?? {}) as Record<string, unknown>;
      const request = {
        name: tool,
        arguments: args,
        ...(signal === undefined ? {} : { options: { signal } }),
      };
      const result = await client.callTool(request).catch((cause: unknown) => fail(cause, call));
      const text = renderResult(result, hideKnownSecrets);
      if ('isError' in result && result.isError === true) throw new Error(text);
      return text;
    },
  };
}

/** An error with a code of JSON-RPC was said by the server itself, which is there, then. */
const isAnswer = (error: unknown) => MCPClientError.isInstance(error) && error.code !== undefined;

/** As much as a command shows. */
const maxBytes = 32 * 1024;

type Part = Readonly<Record<string, unknown>>;

/**
 * Writes a tool's answer as text: text as it is, resources with their addresses, a line for each part that a text cannot
 * show. The middle of a long answer is left out.
 */
function renderResult(result: CallToolResult, hideSecrets: HideSecrets): string {
  const parts =
    'content' in result && Array.isArray(result.content) ? (result.content as readonly Part[]) : [];
  const rendered = parts.map(renderPart).filter((text) => text !== '');
  const text = rendered.length > 0 ? rendered.join('\n\n') : renderData(result);
  const capped = createCappedOutput({ maxBytes, hideSecrets });
  capped.add(Buffer.from(text));
  return capped.text();
}

/** Some servers answer data alone. */
function renderData(result: CallToolResult): string {
  const data: unknown = 'toolResult' in result ? result.toolResult : result.structuredContent;
  if (data === undefined || data === null) return '(no output)';
  return typeof data === 'string' ? data : JSON.stringify(data, null, 2);
}

function renderPart(part: Part): string {
  const { type } = part;
  if (type === 'text') return String(part.text);
  if (type === 'image' || type === 'audio') return `[${type}, ${describeBytes(part.data, part.mimeType)}]`;
  if (type === 'resource') return renderResource((part.resource ?? {}) as Part);
  if (type === 'resource_link')
    return `[link] ${[part.name, part.uri, part.description].filter(Boolean).join(' ')}`;
  return JSON.stringify(part);
}

function renderResource(resource: Part): string {
  const head = `[resource] ${String(resource.uri)}`;
  if (typeof resource.text === 'string') return `${head}\n${resource.text}`;
  return `${head} [${describeBytes(resource.blob, resource.mimeType)}]`;
}

function describeBytes(base64: unknown, mimeType: unknown): string {
  const bytes = typeof base64 === 'string' ? Buffer.byteLength(base64, 'base64') : 0;
  return `${typeof mimeType === 'string' ? mimeType : 'unknown type'}, ${bytes} bytes, not shown`;
}
