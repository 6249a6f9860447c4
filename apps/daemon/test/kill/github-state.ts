import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { SimulatedThread } from '@agent/platforms/simulators';
import { repository, type World } from '../support/world.ts';

const run = promisify(execFile);

/** What people see on GitHub in the end, without what differs from run to run: times, ids, counts of calls. */
export interface GitHubState {
  readonly threads: readonly ThreadState[];
  readonly branches: readonly BranchState[];
  readonly commitsOnMain: number;
}

type ThreadState = Pick<
  SimulatedThread,
  'title' | 'body' | 'state' | 'labels' | 'assignees' | 'pullRequest'
> & {
  readonly comments: readonly { readonly author: string | null; readonly body: string }[];
};

interface BranchState {
  readonly name: string;
  readonly tree: string;
  /** Those that the default branch does not have. */
  readonly commits: readonly string[];
  /** The file that a tool of the test appends to; null without it. */
  readonly log: string | null;
}

export async function readGitHubState(world: World, options: { readonly url: string }): Promise<GitHubState> {
  const threads = world.gitHub.threads(repository);
  const heads = new Map(threads.map((thread) => [thread.number, thread.pullRequest?.head]));
  const normalise = (text: string): string =>
    normaliseText(text, { ...options, headOf: (number) => heads.get(number) ?? `thread ${number}` });
  const git = async (...args: string[]): Promise<string> =>
    (await run('git', args, { cwd: world.gitHub.gitDirectory(repository) })).stdout.trim();
  return {
    threads: threads.map((thread) => readThread(thread, normalise)).sort(byName),
    branches: await readBranches(git),
    commitsOnMain: Number(await git('rev-list', '--count', 'main')),
  };
}

function readThread(thread: SimulatedThread, normalise: (text: string) => string): ThreadState {
  const { title, body, state, labels, assignees, pullRequest, comments } = thread;
  return {
    title,
    body: normalise(body ?? ''),
    state,
    labels: [...labels].sort(),
    assignees,
    pullRequest,
    comments: comments.map((comment) => ({ author: comment.author, body: normalise(comment.body) })),
  };
}

/** Several tasks open their pull requests in any order: by number they could not be compared. */
function byName(one: ThreadState, other: ThreadState): number {
  const nameOf = ({ title, pullRequest }: ThreadState): string => `${pullRequest?.head ?? ''} ${title}`;
  return nameOf(one) < nameOf(other) ? -1 : 1;
}

interface NormaliseOptions {
  readonly url: string;
  readonly headOf: (number: number) => string;
}

function normaliseText(text: string, { url, headOf }: NormaliseOptions): string {
  return text
    .replaceAll(url, '<github>')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g, '<uuid>')
    .replace(/\[#(\d+)\]\(([^)]*\/)\d+\)/g, (_, number: string, path: string) => {
      return `[${headOf(Number(number))}](${path})`;
    })
    .replace(/\([0-9a-f]{10}\)/g, '(<commit>)')
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, '<time>')
    .replace(/^- ([^:`]+): .*$/gm, '- $1: <number>');
}

async function readBranches(git: (...args: string[]) => Promise<string>): Promise<BranchState[]> {
  const names = (await git('for-each-ref', '--format=%(refname)', 'refs/heads/')).split('\n');
  const branches = names.map(async (name) => ({
    name,
    tree: await git('rev-parse', `${name}^{tree}`),
    commits: (await git('log', '--format=%an <%ae> %s', `main..${name}`)).split('\n'),
    log: await git('show', `${name}:log.txt`).catch(() => null),
  }));
  return Promise.all(branches);
}
