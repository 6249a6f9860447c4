import type { ObservedModel } from '@agent/simulators/demo';
import { demoFault, demoGuess, demoRounding, resultsFile } from '@agent/simulators/demo/parts';
import type { CheckedPromise } from './checked-promise.ts';
import type { DemoFacts } from './demo-facts.ts';

/** What is promised of the time before the first step, where the script plays: it is what has that much to be found out. */
export function checkPreparation({
  model,
  written,
  changedFiles,
  roundedTotal,
  progress,
}: Pick<DemoFacts, 'written' | 'changedFiles' | 'roundedTotal' | 'progress'> & {
  readonly model: ObservedModel;
}): CheckedPromise[] {
  const { firstStep, questions } = model;
  const says = (...texts: readonly string[]) => texts.every((text) => firstStep.includes(text));
  return [
    {
      promise:
        'before it began to work one comment showed what it understood, collected and assumed, and how to object',
      kept: inOrder(model.toldBefore, [
        '### 📋 Understanding',
        '### ⚠️ Assumptions',
        '`/reject A1',
        '### 📚 Information',
      ]),
    },
    {
      promise: 'what it collected stands in its instructions: the code, its test, how tests are started',
      kept: says(demoFault.wrong, demoRounding.testBefore.split('\n')[0] ?? '', '"test": "node --test"'),
    },
    {
      promise:
        'only tools that read ran while it collected: a command was refused, and left nothing on its branch',
      kept: says('- What the tests print today (impact') && !changedFiles.includes(resultsFile),
    },
    {
      promise: "the till's login is said to be missing, to people and to the agent, and nobody guesses it",
      kept:
        written.includes('❌ The login data for the till') &&
        says('- The login data for the till (impact') &&
        !`${written}${firstStep}`.includes(demoGuess) &&
        questions.join() === 'understanding,needs,assumption',
    },
    {
      promise:
        'what it assumed it marked as assumed, and after a /reject the branch does what was said instead',
      kept:
        says('- A1 rounding: line by line (confidence 60%') &&
        model.objected &&
        roundedTotal === demoRounding.total,
    },
    {
      promise:
        'the same comment shows the plan, the action that failed, the revision, and the placeholder that verification found',
      kept:
        inOrder(progress, [
          'Execution Plan (Verification Round)',
          '**task_1** failed',
          'Verification Passed',
        ]) && inOrder(progress, ['Verification Not Passed', `${demoFault.test}:`, 'Original plan']),
    },
  ];
}

function inOrder(text: string, parts: readonly string[]): boolean {
  const places = parts.map((part) => text.indexOf(part));
  return places.every((place, index) => place > (places[index - 1] ?? -1));
}
