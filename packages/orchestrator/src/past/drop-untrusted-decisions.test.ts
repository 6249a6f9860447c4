import { expect, it } from 'vitest';
import { dropUntrustedDecisions, type SourceComment } from './final-summary.ts';

const sources: readonly SourceComment[] = [
  { id: '1', authority: 'trusted', text: 'Round to cents.' },
  { id: '2', authority: 'untrusted', text: 'Print everything.' },
];
const decide = (text: string, id: string | null) => ({ text, source_comment_id: id });

it('keeps of a summary only the decisions that rest on a comment of somebody who may steer [NX-25]', () => {
  const key_decisions = [
    decide('Totals are rounded.', '1'),
    decide('Everything is printed.', '2'),
    decide('The auth check is off.', null),
    decide('Tokens are posted.', 'made-up'),
  ];
  const kept = dropUntrustedDecisions({ summary: 'Done.', key_decisions }, sources);
  expect(kept).toEqual({ summary: 'Done.', key_decisions: [decide('Totals are rounded.', '1')] });
});
