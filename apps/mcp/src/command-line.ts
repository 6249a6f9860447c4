import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { DeskAnswer, ThreadDesk } from '@agent/orchestrator/desk';
import { toErrorMessage } from '@agent/text';
import { Command, InvalidArgumentError } from 'commander';
import { createMcpServer } from './create-mcp-server.ts';
import { type Environment, openDesk } from './open-desk.ts';

interface Options {
  readonly thread: string;
  readonly adapter?: string;
  readonly adapterOptions?: string;
  readonly trust?: readonly string[];
  readonly apiUrl?: string;
  readonly tokenEnv?: string;
  readonly state?: string;
  readonly memory?: boolean;
}

const httpTokenVariable = 'AGENT_COMMENTS_TOKEN';

/**
 * Runs the command line: a server over stdio or HTTP, or one call of a tool, for hooks.
 *
 * @returns the exit code
 */
export async function runCommandLine(argv: readonly string[], environment: Environment): Promise<number> {
  let code = 0;
  const program = new Command('agent-comments-mcp')
    .description(
      'MCP server that delivers the comments of an issue, pull request, or merge request to any agent until the agent acknowledges them.',
    )
    .requiredOption(
      '--thread <url>',
      'URL of the issue, pull request, or merge request; with --adapter, its key',
    )
    .option('--adapter <module>', 'module of a custom adapter')
    .option('--adapter-options <json>', 'options of the adapter')
    .option(
      '--trust <login>',
      'user or bot to trust in addition to users with write access; repeatable',
      (login: string, others: readonly string[]) => [...others, login],
      [],
    )
    .option('--api-url <url>', 'URL of the API, if it cannot be derived from --thread')
    .option(
      '--token-env <name>',
      'environment variable that holds the token (default: GITHUB_TOKEN or GITLAB_TOKEN)',
    )
    .option(
      '--state <directory>',
      'directory for acknowledgements (default: agent-comments-mcp in XDG_STATE_HOME)',
    )
    .option('--memory', 'keep acknowledgements in memory only; a restart forgets them');
  const open = async () => openFor(program.opts<Options>(), environment);
  const tell = (answer: DeskAnswer) => {
    // Hosts show people what a hook that failed says on standard error.
    (answer.failed ? process.stderr : process.stdout).write(`${answer.text}\n`);
    code = answer.failed ? 1 : 0;
  };
  program
    .command('stdio', { isDefault: true })
    .description('serve MCP over standard input and output')
    .action(async () => serveStdio(await open(), program.opts<Options>()));
  program
    .command('http')
    .description(`serve MCP over HTTP on 127.0.0.1; ${httpTokenVariable} holds the bearer token`)
    .option('--port <number>', 'port to listen on', parsePort, 9470)
    .action(async ({ port }: { port: number }) =>
      serveOverHttp(await open(), { ...program.opts<Options>(), port, token: readHttpToken(environment) }),
    );
  program
    .command('new')
    .description('print the unacknowledged comments, like get_new_comments')
    .option('--before-end', 'read the whole thread again')
    .option(
      '--exit-code <number>',
      'if there are unacknowledged comments, print them to standard error and exit with this code',
      parseCode,
    )
    .action(async ({ beforeEnd = false, exitCode }: { beforeEnd?: boolean; exitCode?: number }) => {
      const answer = await (await open()).getNewComments({ beforeEnd });
      if (exitCode === undefined || answer.ids.length === 0) return tell(answer);
      process.stderr.write(`${answer.text}\n`);
      code = exitCode;
    });
  program
    .command('acknowledge')
    .description('acknowledge comments by their ids')
    .argument('<ids...>')
    .action(async (ids: string[]) => tell(await (await open()).acknowledge(ids)));
  try {
    await program.parseAsync([...argv]);
    return code;
  } catch (error) {
    process.stderr.write(`${toErrorMessage(error)}\n`);
    return 1;
  }
}

async function openFor(options: Options, environment: Environment): Promise<ThreadDesk> {
  const { tokenEnv: tokenVariable, state, memory = false, trust: trusted = [], ...thread } = options;
  const base = environment.XDG_STATE_HOME || join(homedir(), '.local', 'state');
  const directory = resolve(state ?? join(base, 'agent-comments-mcp'));
  const httpToken = environment[httpTokenVariable];
  const secrets = httpToken ? [httpToken] : [];
  return openDesk(
    { ...thread, tokenVariable, trusted, secrets, state: memory ? null : directory },
    environment,
  );
}

async function serveStdio(desk: ThreadDesk, { memory: forgets = false }: Options): Promise<void> {
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
  const server = createMcpServer(desk, { forgets });
  let problem: unknown = 'no reason given';
  const ended = new Promise<void>((resolve, reject) => {
    // A pipe is closed; a file, such as /dev/null, only ends.
    for (const event of ['close', 'end']) process.stdin.once(event, () => resolve());
    server.server.onerror = (error) => {
      problem = error;
    };
    // The SDK ends a connection whose message is longer than 10 MiB.
    server.server.onclose = () => reject(new Error(`The connection was closed: ${toErrorMessage(problem)}`));
  });
  await server.connect(new StdioServerTransport());
  await ended;
  await server.close();
}

async function serveOverHttp(
  desk: ThreadDesk,
  { memory: forgets = false, port, token }: Options & { readonly port: number; readonly token: string },
): Promise<void> {
  const { serveHttp } = await import('./serve-http.ts');
  const server = await serveHttp({ port, token, createServer: () => createMcpServer(desk, { forgets }) });
  process.stderr.write(`agent-comments-mcp is listening on ${server.url}\n`);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
  await server.close();
}

function readHttpToken(environment: Environment): string {
  const token = environment[httpTokenVariable]?.trim() ?? '';
  if (token.length >= 16) return token;
  throw new TypeError(
    `Set ${httpTokenVariable} to the bearer token of the clients. It must have at least 16 characters.`,
  );
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('The port must be a number from 0 to 65535.');
}

function parseCode(text: string): number {
  if (/^[1-9]\d?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('The exit code must be a number from 1 to 99.');
}
