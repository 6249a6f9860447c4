import type { Comment, GitHubTaskKey } from '@agent/platforms';
import { type GitHubSimulator, startGitHubSimulator } from '@agent/simulators/github';

const agentLogin = 'robot';
/** The agent's. */
export const agentToken = 'ghp_ThisIsTheTokenOfTheRobotOfTheFleet001';

/** A clock that moves when it is told to; milliseconds since the epoch. */
export interface VirtualClock {
  time: number;
}

export interface FleetForgeOptions {
  readonly tasks: number;
  readonly repositories: number;
  readonly clock: VirtualClock;
}

/** A GitHub by a virtual clock, with a thread for every task. */
export interface FleetForge {
  readonly url: string;
  readonly keys: readonly GitHubTaskKey[];
  /** Somebody writes on a task's thread; returns the comment as GitHub's webhook shows it. */
  readonly comment: (key: GitHubTaskKey) => Comment;
  /** From now on GitHub's own limits hold, with nothing used; before, nothing is limited but what happens in a minute. */
  readonly limit: () => void;
  readonly close: () => Promise<void>;
}

/** Threads are spread evenly over the repositories; each has one comment when a task begins. */
export async function startFleetForge(options: FleetForgeOptions): Promise<FleetForge> {
  const { tasks, repositories, clock } = options;
  const gitHub = await startGitHubSimulator({ now: () => clock.time });
  for (const login of ['acme', 'alice', agentLogin]) gitHub.addUser({ login });
  gitHub.addToken({ token: agentToken, login: agentLogin });
  for (let index = 0; index < repositories; index += 1) await addRepository(gitHub, index);
  const unlimited = 10_000_000;
  gitHub.setRateLimit({ limit: unlimited, remaining: unlimited });
  const comment: FleetForge['comment'] = ({ owner, repo, number }) => {
    const written = gitHub.comment({ repo: `${owner}/${repo}`, number, author: 'alice', body });
    const { createdAt, updatedAt } = written;
    return {
      id: String(written.id),
      author: null,
      body,
      createdAt,
      updatedAt,
      url: null,
      visibility: 'public',
      subject: null,
    };
  };
  const keys = Array.from({ length: tasks }, (_, index) => openIssue(gitHub, index % repositories));
  for (const key of keys) {
    clock.time += betweenFirstCommentsMs;
    comment(key);
  }
  return {
    url: gitHub.url,
    keys,
    comment,
    limit: () => gitHub.setRateLimit({ limit: 5000, remaining: 5000 }),
    close: () => gitHub.close(),
  };
}

/** So that no page of a repository's comments is full of what was said at one moment. */
const betweenFirstCommentsMs = 5_000;
/** Short: what is counted here are requests. */
const body = 'Please count the quantity, too.';

function addRepository(gitHub: GitHubSimulator, index: number): Promise<void> {
  // Of a collaborator nobody has to look up what else he has contributed.
  const collaborators = { [agentLogin]: 'write', alice: 'write' } as const;
  return gitHub.addRepository({ owner: 'acme', name: `shop-${index}`, files: null, collaborators });
}

function openIssue(gitHub: GitHubSimulator, index: number): GitHubTaskKey {
  const repo = `shop-${index}`;
  const { number } = gitHub.openIssue({ repo: `acme/${repo}`, author: 'alice', title: 'The total is wrong' });
  return { type: 'github_issue', owner: 'acme', repo, number };
}
