import { expect, it } from 'vitest';
import type { ConversationView } from './script.ts';
import { toPreparationQuestion } from './to-preparation-question.ts';

const view = (instructions: string): ConversationView => ({
  api: 'chat',
  model: 'm',
  instructions,
  messages: [],
  exchanges: [],
  tools: [],
  turns: 0,
});
const prepare = 'You prepare the work of a coding agent.';

it.each([
  [`${prepare} Understand what a request asks for; do not plan or solve it.`, 'understanding'],
  [`${prepare} Decide what has to be known before the work can be planned.`, 'needs'],
  [`${prepare} Something could not be found out. Say what is reasonable to assume.`, 'assumption'],
  [`${prepare} Something else.`, null],
  ['You are a software engineer. Understand what a request asks for.', null],
])('reads from “%s” what is asked: %s', (instructions, question) => {
  expect(toPreparationQuestion(view(instructions))).toBe(question);
});
