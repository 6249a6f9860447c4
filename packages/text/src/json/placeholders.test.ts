import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { lenientText, lenientTexts } from './lenient.ts';
import { isPlaceholder, withoutPlaceholders } from './placeholders.ts';
import { readJsonAnswer } from './read-json-answer.ts';

describe('isPlaceholder', () => {
  it.each([
    ...['…', '...', ' . . . ', '……', '"…"', '<...>', '[…]', '（…）', '・・・'],
    ...[
      '<text>',
      '<your answer>',
      '<task_id>',
      '<path/to/file>',
      '＜目的＞',
      '&lt;goal&gt;',
      '<string | null>',
    ],
    ...[
      '[your answer]',
      '[insert goal here]',
      '[目的 を書く]',
      '{goal}',
      '{{ goal }}',
      '$' + '{main_objective}',
    ],
  ])('knows %j', (text) => {
    expect(isPlaceholder(text)).toBe(true);
  });

  it.each([
    ...[
      '',
      'Add the total…',
      'Use <text> for it',
      'a',
      '[WIP]',
      '[x]',
      '<a href="b">c</a>',
      '<div>x</div>',
      '1.2',
    ],
    ...[
      '[README](README.md)',
      '{"a": 1}',
      '{ a: 1 } and { b }',
      'TODO',
      '- …',
      'そのまま。',
      '()',
      '[]',
      '{}',
    ],
  ])('takes %j for content', (text) => {
    expect(isPlaceholder(text)).toBe(false);
  });
});

describe('withoutPlaceholders', () => {
  it('leaves out values, items and whole objects of placeholders', () => {
    expect(
      withoutPlaceholders({
        summary: '…',
        tasks: ['<task>', 'Add it', { id: '…', text: '<text>' }, {}],
        parameters: { '…': '…', pattern: '<div>', path: '...' },
        count: 3,
      }),
    ).toEqual({ tasks: ['Add it', {}], parameters: { pattern: '<div>' }, count: 3 });
  });
});

describe('readJsonAnswer', () => {
  const schema = z.object({
    goal: z.object({
      objective: lenientText.refine((text) => text !== '', 'is empty'),
      criteria: lenientTexts,
    }),
    comment: lenientText,
  });
  const answer = (objective: string, comment: string) =>
    JSON.stringify({ goal: { objective, criteria: ['It adds up', 'a', 'b', '…'] }, comment });

  it.each(['…', '...', '<text>', '<main objective>', '[your goal]'])(
    'asks for a value in place of %j, where one is needed',
    (held) => {
      expect(readJsonAnswer(answer(held, 'Done'), schema)).toMatchObject({
        status: 'unreadable',
        isJson: true,
      });
      expect(readJsonAnswer(answer('Fix it', held), schema)).toMatchObject({
        status: 'read',
        answer: { goal: { objective: 'Fix it', criteria: ['It adds up', 'a', 'b'] }, comment: '' },
      });
    },
  );
});
