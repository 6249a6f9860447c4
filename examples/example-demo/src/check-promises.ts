import { checkPreparation } from './check-preparation.ts';
import type { CheckedPromise } from './checked-promise.ts';
import type { DemoFacts } from './demo-facts.ts';

/** Holds what the demonstration promises against what happened. */
export function checkPromises(facts: DemoFacts): CheckedPromise[] {
  const { changeRequests, changeRequestWord: word, told } = facts;
  const [changeRequest] = changeRequests;
  const link = new RegExp(`#${facts.issueNumber}\\b`);
  return [
    ...(facts.exitCode === null
      ? []
      : [{ promise: 'the daemon ended by itself, with exit code 0', kept: facts.exitCode === 0 }]),
    {
      promise: 'the issue is labeled as done and no longer as waiting',
      kept: facts.issueLabels.includes('coding agent done') && !facts.issueLabels.includes('coding agent'),
    },
    {
      promise: 'the agent left exactly one report on the issue, as its last words there',
      kept: told.length === 1,
    },
    {
      promise: `there is exactly one ${word}, a draft that links the issue`,
      kept: changeRequests.length === 1 && changeRequest?.draft === true && link.test(changeRequest.body),
    },
    { promise: 'the default branch is as it was: its test fails', kept: !facts.testsOnMain },
    { promise: `on the ${word}'s branch the tests pass`, kept: facts.testsOnBranch === true },
    ...(facts.model === null ? [checkProgress(facts)] : checkPreparation({ ...facts, model: facts.model })),
  ];
}

/** What holds whatever a model makes of the questions before the first step. */
function checkProgress({ progress }: Pick<DemoFacts, 'progress'>): CheckedPromise {
  return {
    promise: 'one comment of the agent on the issue showed what it understood',
    kept: progress.includes('### 📋 Understanding'),
  };
}
