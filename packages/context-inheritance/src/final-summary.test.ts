import { describe, expect, it } from 'vitest';
import { finalSummarySchema } from './summaries.ts';

const nothing = { ...{ subject: null, source: null, quote: null }, replaces: [], paths: [] };

describe('the final summary of a run', () => {
  it('is read without the decisions that are in no form to be read [C11]', () => {
    const odd = [
      ...['Pages begin at 1', { decision: 'x' }, null, { text: 'Keep the API', source_comment_id: 7 }],
      { text: 'Round once', source: 'thread', replaces: 'a1-1', paths: ['sum.ts', null], quote: 5 },
    ];
    expect(finalSummarySchema.parse({ summary: ' Done. ', key_decisions: odd })).toEqual({
      summary: 'Done.',
      key_decisions: [
        { ...nothing, text: 'Pages begin at 1' },
        { ...nothing, text: 'Keep the API', source: '7' },
        { ...nothing, text: 'Round once', source: 'thread', replaces: ['a1-1'], paths: ['sum.ts'] },
      ],
    });
    expect(finalSummarySchema.parse({ summary: 'Done.', key_decisions: 'none' }).key_decisions).toEqual([]);
  });

  it('is not accepted empty', () => {
    expect(finalSummarySchema.safeParse({ summary: ' \n', key_decisions: [] }).success).toBe(false);
  });
});
