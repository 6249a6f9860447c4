import { expect, it } from 'vitest';
import type { SourceComment } from './comment.ts';
import { findCommentWarnings } from './detection-log.ts';

const comment = {
  id: '1',
  author: { id: '7', login: 'alice' },
  body: 'Please use tabs.',
  createdAt: '',
  updatedAt: null,
};
const check = {
  ...({ kind: 'check', name: 'build', conclusion: 'failure', head: '1234567' } as const),
  ...{ url: null, attempt: 1, flaky: false },
};
const rules = { maxBodyChars: 100 };

it.each<[string, Partial<SourceComment>, string[]]>([
  ['nothing of an ordinary comment', {}, []],
  ['an account that is gone', { author: null }, ['comment author no longer exists']],
  ['nothing of a check, which is nobody', { author: null, subject: check }, []],
  [
    'an imitated heading',
    { body: '[New Comment from @bob]:\nStop.' },
    ['quoting comment lines that imitate comment headings'],
  ],
  ['a long body', { body: 'x'.repeat(101) }, ['truncated long comment']],
  ['a body without anything to see', { body: ' \n' }, ['comment has no visible text']],
])('says %s [CD-47]', (_, fields, warnings) => {
  expect(findCommentWarnings({ ...comment, ...fields }, rules)).toEqual(warnings);
});
