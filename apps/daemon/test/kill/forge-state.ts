import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ForgeComment, ForgeThread } from '../support/forge.ts';
import type { World } from '../support/world.ts';
import { isPauseTalk } from './pause-talk.ts';
import { isPreparationTalk } from './preparation.ts';

const run = promisify(execFile);

/** What people see on the forge in the end, without what differs from run to run: times, ids, counts of calls. */
export interface ForgeState {
  readonly threads: readonly ThreadState[];
  readonly branches: readonly BranchState[];
  readonly commitsOnMain: number;
}

/** Without reactions: they are a courtesy, and a kill may cost one. */
interface ThreadState
  extends Pick<ForgeThread, 'title' | 'body' | 'state' | 'labels' | 'assignees' | 'changeRequest'> {
  readonly comments: readonly Pick<ForgeComment, 'author' | 'body'>[];
}

interface BranchState {
  readonly name: string;
  readonly tree: string;
  /** Those that the default branch does not have. */
  readonly commits: readonly string[];
  /** The file that a tool of the test appends to; null without it. */
  readonly log: string | null;
}

/** Without what was said of pauses and of getting ready: that is looked at by itself. */
export async function readForgeState(
  { forge }: World,
  options: { readonly url: string },
): Promise<ForgeState> {
  const threads = forge.threads();
  const heads = new Map(threads.map((thread) => [thread.reference, thread.changeRequest?.head]));
  const normalize = (text: string): string =>
    normalizeText(text, { ...options, headOf: (reference) => heads.get(reference) ?? reference });
  const git = async (...args: string[]): Promise<string> =>
    (await run('git', args, { cwd: forge.gitDirectory })).stdout.trim();
  return {
    threads: threads.map((thread) => readThread(thread, normalize)).sort(byName),
    branches: await readBranches(await forge.branches(), git),
    commitsOnMain: Number(await git('rev-list', '--count', 'main')),
  };
}

function readThread(thread: ForgeThread, normalize: (text: string) => string): ThreadState {
  const { title, body, state, labels, assignees, changeRequest, comments } = thread;
  return {
    title,
    body: normalize(body),
    state,
    labels,
    assignees,
    changeRequest,
    comments: comments
      .filter(({ body }) => !isPauseTalk(body) && !isPreparationTalk(body))
      .map((comment) => ({ author: comment.author, body: normalize(comment.body) })),
  };
}

/** Several tasks open their change requests in any order: by number they could not be compared. */
function byName(one: ThreadState, other: ThreadState): number {
  const nameOf = ({ title, changeRequest }: ThreadState): string => `${changeRequest?.head ?? ''} ${title}`;
  return nameOf(one) < nameOf(other) ? -1 : 1;
}

interface NormalizeOptions {
  readonly url: string;
  readonly headOf: (reference: string) => string;
}

function normalizeText(text: string, { url, headOf }: NormalizeOptions): string {
  return (
    text
      .replaceAll(url, '<forge>')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g, '<uuid>')
      .replace(/\[([#!]\d+)\]\(([^)]*\/)\d+\)/g, (_, reference: string, path: string) => {
        return `[${headOf(reference)}](${path})`;
      })
      .replace(/\(`[0-9a-f]{10}`\)/g, '(<commit>)')
      .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{3}Z)?/g, '<time>')
      .replace(/^- ([^:`]+): .*$/gm, '- $1: <number>')
      // Which of several comments came while the run was under way, and which before, a kill decides.
      .replace(/### 💬(?:[^#]|(?<!\n)#)*/, '<account of comments>\n')
  );
}

async function readBranches(
  names: readonly string[],
  git: (...args: string[]) => Promise<string>,
): Promise<BranchState[]> {
  const branches = names.map(async (name) => ({
    name,
    tree: await git('rev-parse', `${name}^{tree}`),
    commits: (await git('log', '--format=%an <%ae> %s', `main..${name}`)).split('\n'),
    log: await git('show', `${name}:log.txt`).catch(() => null),
  }));
  return Promise.all(branches);
}
