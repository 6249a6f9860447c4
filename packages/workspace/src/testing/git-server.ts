import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/**
 * A real git server over HTTP on loopback: `git http-backend` behind Basic authentication. The simulators' servers stand
 * behind a platform's accounts and rights and are not published; this one stands alone, and its requests can be
 * intercepted.
 */
export interface GitServer {
  /** `http://127.0.0.1:41234` */
  readonly url: string;
  readonly host: string;
  /** Every `Authorization` header that arrived, decoded; null for a request without one. */
  readonly logins: readonly (string | null)[];
  /** Called before each request is answered; what it resolves to is sent instead when not null. */
  intercept: (
    request: IncomingMessage,
  ) => Promise<{ status: number; headers?: Record<string, string> } | null>;
  /** Makes a bare repository with one commit of these files on `main`; null for one without commits. */
  readonly addRepository: (path: string, files: Readonly<Record<string, string>> | null) => Promise<string>;
  /** Commits files to a branch, as somebody else would, and answers the new tip. */
  readonly commit: (path: string, options: SomebodysCommit) => Promise<string>;
  /** Runs git in the bare repository. */
  readonly git: (path: string, ...args: string[]) => Promise<string>;
  readonly close: () => Promise<void>;
}

export interface SomebodysCommit {
  readonly branch: string;
  readonly files: Readonly<Record<string, string>>;
  /** The branch that a new one begins at. Default `main`. */
  readonly from?: string;
}

export async function startGitServer(options: { readonly token: string | null }): Promise<GitServer> {
  const root = await mkdtemp(join(tmpdir(), 'git-server-'));
  const logins: (string | null)[] = [];
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const header = request.headers.authorization;
    logins.push(header === undefined ? null : Buffer.from(header.replace('Basic ', ''), 'base64').toString());
    const instead = await self.intercept(request);
    if (instead !== null) {
      response.writeHead(instead.status, instead.headers).end();
    } else if (options.token !== null && !(logins.at(-1) ?? '').endsWith(`:${options.token}`)) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    } else {
      serve({ root, request, response });
    }
  }

  const bare = (path: string) => join(root, `${path}.git`);
  const self: GitServer = {
    url: `http://${host}`,
    host,
    logins,
    intercept: async () => null,
    git: async (path, ...args) =>
      (await execute('git', ['--git-dir', bare(path), ...args], { env: plain })).stdout.trim(),
    addRepository: async (path, files) => {
      await mkdir(dirname(bare(path)), { recursive: true });
      await execute('git', ['init', '--quiet', '--bare', '--initial-branch=main', bare(path)], {
        env: plain,
      });
      await execute('git', ['--git-dir', bare(path), 'config', 'http.receivepack', 'true'], { env: plain });
      if (files !== null) await commitInto(bare(path), { branch: 'main', files });
      return `http://${host}/${path}.git`;
    },
    commit: (path, commit) => commitInto(bare(path), commit),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(root, { recursive: true, force: true });
    },
  };
  return self;
}

const plain = {
  PATH: process.env.PATH ?? '',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Somebody',
  GIT_AUTHOR_EMAIL: 'somebody@example.com',
  GIT_COMMITTER_NAME: 'Somebody',
  GIT_COMMITTER_EMAIL: 'somebody@example.com',
};

async function commitInto(bare: string, { branch, files, from = 'main' }: SomebodysCommit): Promise<string> {
  const work = await mkdtemp(join(tmpdir(), 'git-somebody-'));
  const run = async (...args: string[]) =>
    (await execute('git', args, { cwd: work, env: plain })).stdout.trim();
  try {
    await run('clone', '--quiet', '--no-checkout', bare, 'clone');
    const inside = (...args: string[]) => run('-C', 'clone', ...args);
    const has = (name: string) =>
      inside('rev-parse', '--verify', '--quiet', `origin/${name}`).catch(() => null);
    const start = (await has(branch)) ?? (await has(from));
    await inside('checkout', '--quiet', ...(start === null ? ['--orphan', branch] : ['-B', branch, start]));
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(work, 'clone', path)), { recursive: true });
      await writeFile(join(work, 'clone', path), text);
    }
    await inside('add', '--all');
    await inside('commit', '--quiet', '--allow-empty', '-m', `change ${branch}`);
    await inside('push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`);
    return await inside('rev-parse', 'HEAD');
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** One CGI exchange with `git http-backend`. */
function serve(exchange: { root: string; request: IncomingMessage; response: ServerResponse }): void {
  const { root, request, response } = exchange;
  const url = new URL(request.url ?? '/', 'http://localhost');
  const child = spawn('git', ['http-backend'], {
    env: {
      ...plain,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      REMOTE_USER: 'somebody',
    },
  });
  request.pipe(child.stdin);
  child.stdin.on('error', () => undefined);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.on('close', () => {
    const all = Buffer.concat(chunks);
    const end = all.indexOf('\r\n\r\n');
    const headers = new Map(
      all
        .subarray(0, end)
        .toString()
        .split('\r\n')
        .map(
          (line) =>
            [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)] as const,
        ),
    );
    const status = Number.parseInt(headers.get('status') ?? '200', 10);
    headers.delete('status');
    response.writeHead(status, Object.fromEntries(headers)).end(all.subarray(end + 4));
  });
}
