import { spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as delay } from 'node:timers/promises';
import { type MCPTransport, validateJSONRPCMessage } from '@ai-sdk/mcp';
import { createMark, endLeftovers, markVariable, signalGroup } from '../machine/end-processes.ts';
import { createCappedOutput } from '../tools/capped-output.ts';

interface StdioServer {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the server. */
  readonly environment: Readonly<Record<string, string>>;
  readonly directory: string;
  /** Milliseconds between the request to end and the end by force. Default 2,000. */
  readonly graceMs?: number | undefined;
  /** Hides secrets in its last words, before any of them are left out. */
  readonly redact: (text: string) => string;
}

export interface StdioTransport extends MCPTransport {
  /** Says how the server ended, with its last words on standard error; null while it runs. */
  readonly describeEnd: () => string | null;
}

const maxStderrBytes = 2_000;

const maxLineChars = 64 * 1024 * 1024;

/**
 * Talks to an MCP server that it starts, line by line over standard input and output. Beside what the transport of
 * `@ai-sdk/mcp` does, the server gets exactly the environment that is named here, and closing ends whatever it started
 * with it.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio
 */
export function createStdioTransport(server: StdioServer): StdioTransport {
  const mark = createMark('mcp');
  const stderr = createCappedOutput({ maxBytes: maxStderrBytes, hideSecrets: server.redact });
  let child: ReturnType<typeof startServer> | null = null;
  let ended: string | null = null;
  let exited: Promise<void> = Promise.resolve();

  const takeLine = (line: string): void => {
    if (line.trim() === '') return;
    try {
      transport.onmessage?.(validateJSONRPCMessage(JSON.parse(line)));
    } catch (error) {
      transport.onerror?.(error as Error);
    }
  };

  function watch(started: ReturnType<typeof startServer>): void {
    const lines = createLineSplitter({ onLine: takeLine, maxChars: maxLineChars });
    started.stdout.on('data', (chunk: Buffer) => {
      if (lines.add(chunk)) return;
      transport.onerror?.(new Error('The MCP server wrote a line without an end.'));
      void transport.close();
    });
    started.stderr.on('data', stderr.add);
    started.stdin.on('error', (error) => transport.onerror?.(error));
    exited = new Promise((resolve) => {
      started.once('close', (code, signal) => {
        ended ??= describe({ code, signal, said: stderr.text() });
        transport.onclose?.();
        resolve();
      });
    });
  }

  const transport: StdioTransport = {
    supportsProtocolVersionDiscovery: true,
    describeEnd: () => ended,
    start: () =>
      new Promise((resolve, reject) => {
        const started = startServer(server, mark);
        started.once('error', (error) => reject(cannotStart(server, error)));
        started.once('spawn', resolve);
        child = started;
        watch(started);
      }),
    send: (message) =>
      new Promise((resolve, reject) => {
        if (child === null || ended !== null) reject(new Error('The MCP server is not running.'));
        else
          child.stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
      }),
    close: async () => {
      const { pid } = child ?? {};
      if (child === null || pid === undefined) return;
      child.stdin.end();
      signalGroup(pid, 'SIGTERM');
      const waiting = new AbortController();
      const grace = delay(server.graceMs ?? 2_000, undefined, { signal: waiting.signal }).catch(
        () => undefined,
      );
      await Promise.race([exited, grace]);
      waiting.abort();
      signalGroup(pid, 'SIGKILL');
      await endLeftovers(mark);
      child.stdout.destroy();
      child.stderr.destroy();
    },
  };
  return transport;
}

function startServer(server: StdioServer, mark: string) {
  return spawn(server.command, server.args, {
    cwd: server.directory,
    env: { ...server.environment, [markVariable]: mark },
    // A group of its own: a Ctrl-C at the terminal must not end it in the middle of a step.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

function cannotStart({ command }: StdioServer, cause: Error): Error {
  // EACCES also where a directory of PATH is closed to us: the system does not tell which of the two it is.
  const { code = '' } = cause as NodeJS.ErrnoException;
  const missing = code === 'ENOENT' || code === 'EACCES';
  const advice = missing ? 'it is not installed, not in PATH, or this user may not run it' : cause.message;
  return new Error(`"${command}" could not be started: ${advice}.`, { cause });
}

function describe(end: { code: number | null; signal: NodeJS.Signals | null; said: string }): string {
  const how = end.code === null ? `it was ended by ${end.signal}` : `it ended with exit code ${end.code}`;
  const said = end.said.trim();
  return said === '' ? how : `${how} and said: ${said}`;
}

interface LineSplitterOptions {
  readonly onLine: (line: string) => void;
  /** A line that is longer is not waited for. */
  readonly maxChars: number;
}

/** Cuts a stream of bytes into lines. `add` is false once a line is too long. */
function createLineSplitter({ onLine, maxChars }: LineSplitterOptions): {
  readonly add: (chunk: Buffer) => boolean;
} {
  const decoder = new StringDecoder('utf8');
  let parts: string[] = [];
  let size = 0;
  return {
    add: (chunk) => {
      const [first = '', ...rest] = decoder.write(chunk).split('\n');
      parts.push(first);
      size += first.length;
      for (const next of rest) {
        onLine(parts.join(''));
        parts = [next];
        size = next.length;
      }
      return size <= maxChars;
    },
  };
}
