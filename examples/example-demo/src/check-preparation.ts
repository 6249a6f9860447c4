import type { ObservedModel } from '@agent/simulators/demo';
import { demoFault, demoGuess, demoRounding, resultsFile } from '@agent/simulators/demo/parts';
import type { CheckedPromise } from './checked-promise.ts';
import type { DemoFacts } from './demo-facts.ts';

/** Checks what only the script makes happen: pre-planning, the rejected assumption, and verification. */
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
        'before the first step, one comment showed what it understood, collected and assumed, and how to object',
      kept: inOrder(model.toldBefore, [
        '### 📋 Understanding',
        '### ⚠️ Assumptions',
        '`/reject A1',
        '### 📚 Information',
      ]),
    },
    {
      promise: 'its instructions contain what it collected: the code, its test, how to run the tests',
      kept: says(demoFault.wrong, demoRounding.testBefore.split('\n')[0] ?? '', '"test": "node --test"'),
    },
    {
      promise: 'it collected with read-only tools: a command was refused and left no file on the branch',
      kept: says('- What the tests print now (impact') && !changedFiles.includes(resultsFile),
    },
    {
      promise: "the till's login is reported as missing, on the issue and to the agent, and is not guessed",
      kept:
        written.includes('➖ The login data for the till') &&
        says('- The login data for the till (impact') &&
        !`${written}${firstStep}`.includes(demoGuess) &&
        questions.join() === 'understanding,needs,assumption',
    },
    {
      promise: 'it marked its assumption as one, and after /reject the code does what the comment says',
      kept:
        says('- A1 rounding: per line (confidence 60%') &&
        model.objected &&
        roundedTotal === demoRounding.total,
    },
    {
      promise:
        'the same comment shows the plan, the failed step, the revision, and the placeholder that verification found',
      kept:
        inOrder(progress, [
          'Execution Plan (Verification Round)',
          '**task_1**, attempt 1',
          'Verification Passed',
        ]) && inOrder(progress, ['Verification Not Passed', `${demoFault.test}:`, 'Original plan']),
    },
  ];
}

function inOrder(text: string, parts: readonly string[]): boolean {
  const places = parts.map((part) => text.indexOf(part));
  return places.every((place, index) => place > (places[index - 1] ?? -1));
}
