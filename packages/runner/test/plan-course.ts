import { createContentPlanner, reflectionText, wantingRevision } from './plan-answers.ts';
import { actionOf, verificationAnswer } from './plans.ts';
import type { ModelPrompt } from './scripted-model.ts';

/** Settings of a course that passes every checkpoint. */
export const coursePlanning = { reflection: { trigger_interval: 1 } } as const;

/** What the tool is called with in a course that nothing disturbs. */
export const courseCalls = ['a', 'b', 'd', 'fix'];

/**
 * A model that plans a, b and c, wants d in place of c once b is done, finds at the first verification that something is
 * missing, and is content with the second. It answers from the prompt alone, so that it goes on after a crash as a real one would.
 */
export function createCoursePlanner() {
  return createContentPlanner(['a', 'b', 'c'], {
    reflection: ({ text }) =>
      text.includes('task_2 (done)') && !text.includes('Do d.') ? wantingRevision('d') : reflectionText(),
    verification: (_, prompt) => JSON.stringify(hasSaid(prompt, 'fix it') ? verificationAnswer() : lacking),
  });
}

const lacking = verificationAnswer({
  verification_passed: false,
  issues_found: ['fix it'],
  additional_work_needed: true,
  additional_actions: [actionOf('verification_fix_1', { tool: 'work', parameters: { text: 'fix' } })],
});

function hasSaid(prompt: ModelPrompt, words: string): boolean {
  return prompt.some(({ role, content }) => role === 'assistant' && JSON.stringify(content).includes(words));
}
