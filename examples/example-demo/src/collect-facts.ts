import type { SimulatedThread } from '@agent/platforms/simulators';
import type { DemoFacts } from './check-promises.ts';
import { demoAccounts, demoRepository } from './demo-project.ts';
import { diffBranches, testBranch } from './inspect-branch.ts';
import type { DemoWorld } from './start-world.ts';

export interface CollectedFacts {
  readonly facts: DemoFacts;
  readonly issue: SimulatedThread;
  /** The first pull request; null when the run made none. */
  readonly pullRequest: SimulatedThread | null;
  readonly diff: string;
  /** What the project's tests said on the pull request's branch. */
  readonly tests: string;
}

/** Looks at the simulated GitHub and its git repository after the run, not at what the daemon says of itself. */
export async function collectFacts(
  { gitHub, issueNumber }: DemoWorld,
  { exitCode, directory }: { readonly exitCode: number; readonly directory: string },
): Promise<CollectedFacts> {
  const { path } = demoRepository;
  const gitDirectory = gitHub.gitDirectory(path);
  const issue = gitHub.thread(path, issueNumber);
  const pullRequests = gitHub.threads(path).filter((thread) => thread.pullRequest !== null);
  const [first = null] = pullRequests;
  const branch = first?.pullRequest ?? null;
  const testsOnMain = await testBranch(gitDirectory, { branch: 'main', scratch: directory });
  const onBranch =
    branch === null ? null : await testBranch(gitDirectory, { branch: branch.head, scratch: directory });
  return {
    facts: {
      exitCode,
      issueNumber,
      issueLabels: issue.labels,
      ownComments: issue.comments.flatMap(({ author, body }) =>
        author === demoAccounts.robot ? [body] : [],
      ),
      pullRequests: pullRequests.map(({ number, body, pullRequest }) => ({
        number,
        body: body ?? '',
        draft: pullRequest?.draft ?? false,
      })),
      testsOnMain: testsOnMain.passed,
      testsOnBranch: onBranch?.passed ?? null,
    },
    issue,
    pullRequest: first,
    diff: branch === null ? '' : await diffBranches(gitDirectory, branch),
    tests: onBranch?.output ?? '',
  };
}
