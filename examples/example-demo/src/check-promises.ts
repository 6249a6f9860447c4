import { checkPreparation } from './check-preparation.ts';
import type { CheckedPromise } from './checked-promise.ts';
import type { DemoFacts } from './demo-facts.ts';

/** Checks the promises of the demonstration against the state of the forge and the repository. */
export function checkPromises(facts: DemoFacts): CheckedPromise[] {
  const { changeRequests, changeRequestWord: word, told } = facts;
  const [changeRequest] = changeRequests;
  const link = new RegExp(`#${facts.issueNumber}\\b`);
  return [
    ...(facts.exitCode === null
      ? []
      : [{ promise: 'the daemon exited by itself with exit code 0', kept: facts.exitCode === 0 }]),
    {
      promise: 'the issue is labeled as done and no longer as waiting',
      kept: facts.issueLabels.includes('coding agent done') && !facts.issueLabels.includes('coding agent'),
    },
    {
      promise: 'the agent posted exactly one report on the issue',
      kept: told.length === 1,
    },
    {
      promise: `there is exactly one ${word}, a draft that links the issue`,
      kept: changeRequests.length === 1 && changeRequest?.draft === true && link.test(changeRequest.body),
    },
    { promise: 'the default branch is unchanged: its test still fails', kept: !facts.testsOnMain },
    { promise: `the tests pass on the branch of the ${word}`, kept: facts.testsOnBranch === true },
    ...(facts.model === null ? [checkProgress(facts)] : checkPreparation({ ...facts, model: facts.model })),
  ];
}

/** The check that does not depend on the answers of a model. */
function checkProgress({ progress }: Pick<DemoFacts, 'progress'>): CheckedPromise {
  return {
    promise: "the agent's comment on the issue showed what it understood",
    kept: progress.includes('### 📋 Understanding'),
  };
}
