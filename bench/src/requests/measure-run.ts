import { startDaemon } from '../daemon-process.ts';
import { mendingScript } from '../scripts.ts';
import { repository, startWorld, type World } from '../world.ts';
import { countRequests, type RequestCounts } from './count-requests.ts';
import { readPrimaryUse } from './primary-limit.ts';

export interface RunCosts extends RequestCounts {
  readonly name: string;
  /** Counted by the server against the primary limit. */
  readonly counted: number;
  readonly modelCalls: number;
}

/** One whole life of a daemon that finds one labeled issue, mends it and opens a pull request. */
export function measureIssueRun(): Promise<RunCosts> {
  return measureRun({ name: 'issue run', open: openIssue, labeled: true });
}

/** The first one in a repository, where the agent's labels must be made. */
export function measureFirstIssueRun(): Promise<RunCosts> {
  return measureRun({ name: 'first issue run', open: openIssue, labeled: false });
}

/** The same for a pull request, whose own branch is mended. */
export function measurePullRequestRun(): Promise<RunCosts> {
  return measureRun({ name: 'pull request run', open: openPullRequest, labeled: true });
}

const openIssue = (world: World): number => world.openIssue('The total is wrong');

async function openPullRequest({ gitHub }: World): Promise<number> {
  const pull = await gitHub.openPullRequest({
    repo: repository,
    author: 'alice',
    title: 'A shop',
    body: 'Please make the tests pass.',
    labels: ['coding agent'],
    headBranch: 'shop',
    files: { 'README.md': '# The shop\n' },
  });
  return pull.number;
}

interface Seeded {
  /** What the run is called. */
  readonly name: string;
  /** Opens the thread that waits; returns its number. */
  readonly open: (world: World) => number | Promise<number>;
  /** Whether the repository has the labels of earlier runs. */
  readonly labeled: boolean;
}

async function measureRun({ name, open, labeled }: Seeded): Promise<RunCosts> {
  const world = await startWorld({ script: mendingScript });
  try {
    if (labeled) leaveLabels(world);
    const number = await open(world);
    const daemon = startDaemon(world, { once: true });
    await daemon.succeeded;
    const thread = world.gitHub.thread(repository, number);
    const said = thread.comments.map(({ body }) => body).join('\n');
    if (!thread.labels.includes('coding agent done')) throw new Error(`The ${name} did not succeed: ${said}`);
    return await toCosts(name, world);
  } finally {
    await world.close();
  }
}

/** A thread that an earlier run is done with: the repository knows the agent's labels from it. */
function leaveLabels({ gitHub }: World): void {
  const labels = ['coding agent processing', 'coding agent done'];
  gitHub.openIssue({ repo: repository, author: 'alice', title: 'Earlier', labels });
}

/** What everything since the world began has cost. */
export async function toCosts(name: string, world: World): Promise<RunCosts> {
  const counts = countRequests(world.gitHub.requests);
  const modelCalls = world.model.requests.filter(({ method }) => method === 'POST').length;
  return { name, ...counts, counted: await readPrimaryUse(world), modelCalls };
}
