import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Gitlab } from '@gitbeaker/rest';
import { runGit } from '../shared/git/run-git.ts';
import type { GitLabSimulator, GitLabSimulatorOptions, SimulatedGitLabThread } from './gitlab-simulator.ts';
import { startGitLabSimulator } from './start-gitlab-simulator.ts';

/** A simulator with a few people and one project, for this folder's own tests. */
export interface Trial {
  readonly simulator: GitLabSimulator;
  /** The real gitbeaker with this token. */
  readonly api: (token?: string) => InstanceType<typeof Gitlab>;
  /** A request without any client in between; `path` is below `/api/v4`. */
  readonly rest: (path: string, options?: RestOptions) => Promise<RestAnswer>;
  /** Moves the server's clock. */
  readonly pass: (milliseconds: number) => void;
  /** Runs the real git in a folder of its own; rejects with what it said. */
  readonly git: (...args: readonly string[]) => Promise<string>;
  /** That folder. */
  readonly folder: string;
  /** Address of a project for git, with a token in it. */
  readonly remote: (token?: string, path?: string) => string;
  /** Id of the project, and of an account. */
  readonly projectId: number;
  readonly userIds: Readonly<Record<string, number>>;
  readonly close: () => Promise<void>;
}

export interface RestOptions {
  readonly method?: string;
  readonly token?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RestAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it.
  readonly body: any;
}

/** Private; `owner` owns the group, `maintainer`, `agent` (developer), `reporter` and `guest` are members; `stranger` is none. */
export const project = 'group/demo';
export const projectApi = '/projects/group%2Fdemo';

const people = ['owner', 'maintainer', 'agent', 'reporter', 'guest', 'stranger'] as const;

/** Starts at 2024-05-01T00:00:00Z. Every account's token is `{username}-token`. */
export async function startTrial(options: GitLabSimulatorOptions = {}): Promise<Trial> {
  let now = Date.UTC(2024, 4, 1);
  const simulator = await startGitLabSimulator({ now: () => now, ...options });
  const userIds = Object.fromEntries(people.map((username) => [username, simulator.addUser({ username })]));
  for (const username of people) simulator.addToken({ token: `${username}-token`, username });
  const projectId = await simulator.addProject({
    path: project,
    members: { maintainer: 'maintainer', agent: 'developer', reporter: 'reporter', guest: 'guest' },
    files: { 'README.md': '# Demo\n', 'src/sum.js': 'export const sum = (a, b) => a - b;\n' },
  });
  simulator.setAccess('group', 'owner', 'owner');
  const folder = await mkdtemp(join(tmpdir(), 'gitlab-trial-'));
  const { host, pathname } = new URL(simulator.url);
  const root = pathname.replace(/\/$/, '');
  return {
    simulator,
    folder,
    projectId,
    userIds,
    api: (token = 'agent-token') => new Gitlab({ host: simulator.url, token }),
    rest: (path, request) => ask(simulator.url, path, request),
    pass: (milliseconds) => {
      now += milliseconds;
    },
    git: (...args) => runGit(folder, args),
    remote: (token, path = project) => `http://${token ? `oauth2:${token}@` : ''}${host}${root}/${path}.git`,
    close: async () => {
      await simulator.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A merge request of `agent` whose branch changes one file, which is called as the branch. */
export function openChange(
  { simulator }: Trial,
  sourceBranch: string,
  seed: Partial<Parameters<GitLabSimulator['openMergeRequest']>[0]> = {},
): Promise<SimulatedGitLabThread> {
  const files = { [`${sourceBranch}.txt`]: `${sourceBranch}\n` };
  const title = `Change ${sourceBranch}`;
  return simulator.openMergeRequest({ project, author: 'agent', title, sourceBranch, files, ...seed });
}

/** The status and the words with which gitbeaker was refused. */
export async function refusal(call: Promise<unknown>): Promise<{ status: number; message: string }> {
  const error = await call.then(
    () => new Error('Nothing was refused.'),
    (reason: unknown) => reason,
  );
  const { cause } = error as { cause?: { response?: Response; description?: string } };
  if (!cause?.response) throw error;
  return { status: cause.response.status, message: cause.description ?? '' };
}

async function ask(url: string, path: string, request: RestOptions = {}): Promise<RestAnswer> {
  const { method = 'GET', token = 'agent-token', body, headers = {} } = request;
  const response = await fetch(`${url}/api/v4${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(token === null ? {} : { 'private-token': token }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}
