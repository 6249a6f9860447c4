import { execFile, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createLfsEndpoint, type LfsEndpoint } from './lfs-endpoint.ts';

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
  /** Files that LFS keeps. */
  readonly lfs: LfsEndpoint;
  /** Tells whether anybody may read at this path; nobody by default. */
  isPublic: (path: string) => boolean;
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
  /** Commits of submodules, by path. Default none. */
  readonly links?: Readonly<Record<string, string>>;
  /** The branch that a new one begins at; null: the commit stands on no other. Default `main`. */
  readonly from?: string | null;
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
    if (lfs.giveOut(request, response)) return;
    const instead = await self.intercept(request);
    if (instead !== null) {
      response.writeHead(instead.status, instead.headers).end();
    } else if (
      options.token !== null &&
      !self.isPublic(request.url ?? '') &&
      !(logins.at(-1) ?? '').endsWith(`:${options.token}`)
    ) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    } else if (!(await lfs.answerBatch(request, response))) {
      serve({ root, request, response });
    }
  }

  const lfs = createLfsEndpoint(() => self.url);
  const bare = (path: string) => join(root, `${path}.git`);
  const self: GitServer = {
    url: `http://${host}`,
    host,
    logins,
    lfs: lfs.endpoint,
    intercept: async () => null,
    isPublic: () => false,
    git: async (path, ...args) =>
      (await execute('git', ['--git-dir', bare(path), ...args], { env: plain })).stdout.trim(),
    addRepository: async (path, files) => {
      await mkdir(dirname(bare(path)), { recursive: true });
      template ??= makeTemplate();
      await cp(await template, bare(path), { recursive: true });
      if (files !== null) await commitInto(bare(path), { branch: 'main', files, from: null });
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
  GIT_AUTHOR_NAME: 'Maintainer',
  GIT_AUTHOR_EMAIL: 'maintainer@example.com',
  GIT_COMMITTER_NAME: 'Maintainer',
  GIT_COMMITTER_EMAIL: 'maintainer@example.com',
};

/** Commits in one process, whatever the number of files; a second one asks where a branch that is there stands. */
async function commitInto(
  bare: string,
  { branch, files, links = {}, from }: SomebodysCommit,
): Promise<string> {
  const parent = from === null ? null : await findTip(bare, [branch, from ?? 'main']);
  const lines = [
    `commit refs/heads/${branch}`,
    'mark :1',
    `committer Maintainer <maintainer@example.com> ${Math.floor(Date.now() / 1_000)} +0000`,
    toData(`change ${branch}`),
    ...(parent === null ? [] : [`from ${parent}`]),
    ...Object.entries(files).map(
      ([path, text]) => `M 100644 inline ${JSON.stringify(path)}\n${toData(text)}`,
    ),
    ...Object.entries(links).map(([path, sha]) => `M 160000 ${sha} ${JSON.stringify(path)}`),
    'get-mark :1',
    'done\n',
  ];
  const options = ['--quiet', '--done', '--force', '--cat-blob-fd=1'];
  const importing = execute('git', ['--git-dir', bare, 'fast-import', ...options], { env: plain });
  importing.child.stdin?.end(lines.join('\n'));
  return (await importing).stdout.trim();
}

function toData(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}`;
}

/** Finds the tip of the first of these branches that is there; null where none is. */
async function findTip(bare: string, branches: readonly string[]): Promise<string | null> {
  const names = branches.map((name) => `refs/heads/${name}`);
  const args = ['--git-dir', bare, 'for-each-ref', '--format=%(refname) %(objectname)', ...names];
  const { stdout } = await execute('git', args, { env: plain });
  const tips = new Map(stdout.split('\n').map((line) => line.split(' ') as [string, string]));
  return names.flatMap((name) => tips.get(name) ?? []).at(0) ?? null;
}

/** A bare repository that git made once for this process, to be copied. */
let template: Promise<string> | undefined;

async function makeTemplate(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'git-template-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  const init = ['init', '--quiet', '--bare', '--initial-branch=main', '--template=', directory];
  await execute('git', init, { env: plain });
  await execute('git', ['--git-dir', directory, 'config', 'http.receivepack', 'true'], { env: plain });
  await mkdir(join(directory, 'hooks'));
  return directory;
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
