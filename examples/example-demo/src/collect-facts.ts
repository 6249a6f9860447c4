import type { DemoForge, DemoThread, ObservedModel } from '@agent/simulators/demo';
import { demoAccounts, demoRounding, headingsOf, progressOf } from '@agent/simulators/demo/parts';
import type { DemoFacts } from './demo-facts.ts';
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

export interface RunFacts {
  /** Null for a daemon that goes on. */
  readonly exitCode: number | null;
  /** For clones that are removed again. */
  readonly directory: string;
  /** Null where a real model played. */
  readonly model: ObservedModel | null;
}

/** Looks at the simulated forge and its git repository after the run, not at what the daemon says of itself. */
export async function collectFacts(
  forge: DemoForge,
  { exitCode, directory, model }: RunFacts,
): Promise<CollectedFacts> {
  const { gitDirectory, changeRequestWord } = forge;
  const issue = forge.issue();
  const changeRequests = forge.changeRequests();
  const [first = null] = changeRequests;
  const branch = first?.changeRequest ?? null;
  const expression = `totalOf(${JSON.stringify(demoRounding.basket)}, 10)`;
  const inspect = (name: string) =>
    testBranch(gitDirectory, { branch: name, scratch: directory, expression });
  const onMain = await inspect('main');
  const onBranch = branch === null ? null : await inspect(branch.head);
  const diff = branch === null ? '' : await diffBranches(gitDirectory, branch);
  const written = [issue, ...changeRequests].flatMap(({ comments }) =>
    comments.flatMap(({ author, body }) => (author === demoAccounts.robot ? [body] : [])),
  );
  return {
    facts: {
      exitCode,
      changeRequestWord,
      issueNumber: issue.number,
      issueLabels: issue.labels,
      progress: progressOf(issue, demoAccounts.robot),
      told: headingsOf(issue, demoAccounts.robot),
      written: [...written, ...changeRequests.map(({ body }) => body ?? '')].join('\n'),
      changeRequests: changeRequests.map(({ number, body, changeRequest }) => ({
        number,
        body: body ?? '',
        draft: changeRequest?.draft ?? false,
      })),
      changedFiles: [...diff.matchAll(/^diff --git a\/\S+ b\/(\S+)$/gm)].flatMap(([, path]) => path ?? []),
      testsOnMain: onMain.passed,
      testsOnBranch: onBranch?.passed ?? null,
      roundedTotal: onBranch?.value == null ? null : Number(onBranch.value),
      model,
    },
    issue,
    changeRequest: first,
    diff,
    tests: onBranch?.output ?? '',
  };
}
