import type { DemoFacts } from './check-promises.ts';
import type { DemoForge, DemoThread } from './demo-forge.ts';
import { demoAccounts } from './demo-project.ts';
import { diffBranches, testBranch } from './inspect-branch.ts';

export interface CollectedFacts {
  readonly facts: DemoFacts;
  readonly issue: DemoThread;
  /** The first pull or merge request; null when the run made none. */
  readonly changeRequest: DemoThread | null;
  readonly diff: string;
  /** What the project's tests said on its branch. */
  readonly tests: string;
}

/** Looks at the simulated forge and its git repository after the run, not at what the daemon says of itself. */
export async function collectFacts(
  forge: DemoForge,
  { exitCode, directory }: { readonly exitCode: number; readonly directory: string },
): Promise<CollectedFacts> {
  const { gitDirectory, changeRequestWord } = forge;
  const issue = forge.issue();
  const changeRequests = forge.changeRequests();
  const [first = null] = changeRequests;
  const branch = first?.changeRequest ?? null;
  const testsOnMain = await testBranch(gitDirectory, { branch: 'main', scratch: directory });
  const onBranch =
    branch === null ? null : await testBranch(gitDirectory, { branch: branch.head, scratch: directory });
  return {
    facts: {
      exitCode,
      changeRequestWord,
      issueNumber: issue.number,
      issueLabels: issue.labels,
      ownComments: issue.comments.flatMap(({ author, body }) =>
        author === demoAccounts.robot ? [body] : [],
      ),
      changeRequests: changeRequests.map(({ number, body, changeRequest }) => ({
        number,
        body: body ?? '',
        draft: changeRequest?.draft ?? false,
      })),
      testsOnMain: testsOnMain.passed,
      testsOnBranch: onBranch?.passed ?? null,
    },
    issue,
    changeRequest: first,
    diff: branch === null ? '' : await diffBranches(gitDirectory, branch),
    tests: onBranch?.output ?? '',
  };
}
