import { describe, expect, it } from 'vitest';
import { summaryLine } from '../test/inheritance-setup.ts';
import { finalSummarySchema, parseSummaries, toKeyDecisionFields } from './summaries.ts';

const comments = new Map([['7', 'aa']]);
const answer = {
  summary: ' Done. ',
  key_decisions: [
    { text: 'Pages begin at 1', source_comment_id: 7 },
    { text: 'Keep the API', source_comment_id: 'made up' },
    { text: ' ', source_comment_id: null },
  ],
};

describe('the final summary of a run', () => {
  it('marks its decisions with the comments that are really there, and a later run reads them so [CI-31]', () => {
    const summary = finalSummarySchema.parse(answer);
    const fields = toKeyDecisionFields(summary, comments);
    expect(fields.key_decisions).toEqual([
      { text: 'Pages begin at 1', source_comment_id: '7', source_sha256: 'aa' },
      { text: 'Keep the API', source_comment_id: null, source_sha256: null },
    ]);
    const line = JSON.stringify({ ...summaryLine(summary.summary), ...fields });
    expect(parseSummaries([line])).toEqual({
      text: 'Done.',
      keyDecisions: [
        { text: 'Pages begin at 1', source: { commentId: '7', sha256: 'aa' } },
        { text: 'Keep the API', source: null },
      ],
      skippedLines: 0,
    });
  });

  it('is read without the decisions that are in no form to be read [C11]', () => {
    const odd = ['Pages begin at 1', { decision: 'x' }, null, { text: 'Keep the API', source_comment_id: 7 }];
    expect(finalSummarySchema.parse({ ...answer, key_decisions: odd }).key_decisions).toEqual([
      { text: 'Pages begin at 1', source_comment_id: null },
      { text: 'Keep the API', source_comment_id: '7' },
    ]);
    expect(finalSummarySchema.parse({ ...answer, key_decisions: 'none' }).key_decisions).toEqual([]);
  });

  it('is not accepted empty', () => {
    expect(finalSummarySchema.safeParse({ ...answer, summary: ' \n' }).success).toBe(false);
  });
});
