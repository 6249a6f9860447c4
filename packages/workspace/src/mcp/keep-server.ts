import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@agent/text';
import { untilAborted } from '@agent/text/waiting';
import type { ListToolsResult, MCPClient } from '@ai-sdk/mcp';

/** A call of one tool, by the name that its server gave it. */
export interface ToolCall {
  readonly tool: string;
  readonly input: unknown;
  readonly signal: AbortSignal | undefined;
}

/** One connection to a server, until either side ends it. */
export interface McpConnection {
  readonly client: Pick<MCPClient, 'toolsFromDefinitions'>;
  /** The server's own list of its tools. */
  readonly definitions: ListToolsResult;
  /** Lists the tools again, for a call, if the server has sent a notification since; otherwise null. */
  readonly listChangedTools: (call: ToolCall) => Promise<ListToolsResult | null>;
  /** Rejects also when the tool itself says that it failed, so that the model learns it. */
  readonly callTool: (call: ToolCall) => Promise<string>;
  /** Says how the server ended, or why it was not reached; null while it can be asked. */
  readonly describeEnd: () => string | null;
  readonly close: () => Promise<void>;
}

export interface KeepServerOptions {
  /** Name in the configuration. */
  readonly name: string;
  /** Starts or reaches the server again; rejects with what is wrong. */
  readonly connect: () => Promise<McpConnection>;
  readonly logger: Logger;
  /** Milliseconds since 1970. Default the real clock. */
  readonly now?: (() => number) | undefined;
  /** Waits before a new start; rejects when the signal aborts. Default the real clock. */
  readonly pause?: ((milliseconds: number, signal: AbortSignal | undefined) => Promise<unknown>) | undefined;
}

/** An MCP server that is connected again after it ended. */
export interface KeptServer {
  /** Rejects with what failed and when the server is connected again. */
  readonly callTool: (call: ToolCall) => Promise<string>;
  readonly close: () => Promise<void>;
}

const longestWaitMs = 20_000;

const longestPauseMs = 600_000;

/** The first new start is made at once, later ones after 1, 4, 16 s …, up to 10 minutes; a call that succeeds forgets them. */
const pauseAfter = (failures: number) =>
  failures <= 1 ? 0 : Math.min(1_000 * 4 ** (failures - 2), longestPauseMs);

const waitForReal = (milliseconds: number, signal: AbortSignal | undefined) =>
  delay(milliseconds, undefined, { signal });

/**
 * Calls tools of a server that may end. What a call did that the server did not survive is unknown, so it is not repeated;
 * the next call connects anew, and all calls at that moment share the new connection.
 */
export function keepServer(first: McpConnection, options: KeepServerOptions): KeptServer {
  const { name, connect, logger, now = Date.now, pause = waitForReal } = options;
  let current: McpConnection | null = first;
  let connecting: Promise<McpConnection> | null = null;
  let failures = 0;
  let notBefore = 0;
  let lastEnd = '';
  let closed = false;

  function noteFailure(reason: string): void {
    failures += 1;
    lastEnd = reason;
    notBefore = now() + pauseAfter(failures);
    if (closed) return;
    logger.warn(
      { server: name, reason, failures, pauseMs: pauseAfter(failures) },
      'lost MCP server; reconnecting at next tool call',
    );
  }

  /** Notes the end of a connection once, whoever meets it first. */
  function dropIfEnded(connection: McpConnection): void {
    const end = connection.describeEnd();
    if (end === null || current !== connection) return;
    current = null;
    noteFailure(end);
    connection.close().catch((error) => logger.debug({ err: error }, 'failed to close MCP server'));
  }

  async function connectAnew(signal: AbortSignal | undefined): Promise<McpConnection> {
    if (closed) throw new Error('it was closed, because the daemon is stopping');
    const waitMs = notBefore - now();
    if (waitMs > longestWaitMs)
      throw new Error(`${lastEnd}; it is not reconnected for another ${Math.ceil(waitMs / 1_000)} s`);
    if (waitMs > 0) await pause(waitMs, signal);
    if (current !== null) return current;
    connecting ??= connect()
      .then(async (connection) => {
        if (closed) await connection.close();
        else logger.info({ server: name }, 'reconnected to MCP server');
        current = connection;
        return connection;
      })
      .catch((error: Error) => {
        noteFailure(error.message);
        throw new Error(`it ended and could not be reconnected: ${error.message}`, { cause: error });
      })
      .finally(() => {
        connecting = null;
      });
    return connecting;
  }

  async function reconnectFor(call: ToolCall): Promise<McpConnection> {
    try {
      return await untilAborted(connectAnew(call.signal), call.signal);
    } catch (cause) {
      call.signal?.throwIfAborted();
      throw notCarriedOut({ server: name, tool: call.tool, why: (cause as Error).message }, { cause });
    }
  }

  async function callCurrent(call: ToolCall): Promise<string> {
    if (current !== null) dropIfEnded(current);
    const connection = current ?? (await reconnectFor(call));
    try {
      const text = await connection.callTool(call);
      failures = 0;
      return text;
    } catch (error) {
      dropIfEnded(connection);
      throw error;
    }
  }

  return {
    callTool: callCurrent,
    close: async () => {
      closed = true;
      await connecting?.catch(() => undefined);
      await current?.close();
    },
  };
}

/** The error of a call that was not carried out: names the server, its tool and why. */
export function notCarriedOut(
  { server, tool, why }: { readonly server: string; readonly tool: string; readonly why: string },
  options: ErrorOptions,
): Error {
  return new Error(`The MCP server "${server}" did not run ${tool}: ${why}`, options);
}
