import { describe, expect, it } from 'vitest';
import { parseFinalSummary } from './final-summary.ts';
import { form } from './final-summary-texts.en.ts';

const answer = {
  summary: 'Quantities count now.',
  key_decisions: [
    {
      ...{ text: 'Round to cents.', subject: 'rounding', source: '7', quote: null },
      replaces: ['a1-1'],
      paths: ['sum.ts'],
    },
  ],
};
const json = JSON.stringify(answer, null, 2);

describe('a final summary as a model writes it', () => {
  it.each([
    ['alone', json],
    ['in a block of code', `Here it is:\n\`\`\`json\n${json}\n\`\`\`\nDone.`],
    ['with words around it', `Sure! ${json} That is all.`],
  ])('is read %s [CI-36, C11]', (_, text) => {
    expect(parseFinalSummary(text)).toEqual(answer);
  });

  it.each([
    ['prose', 'Quantities count now.'],
    ['nothing', ''],
    ['an empty summary', '{"summary": " ", "key_decisions": []}'],
    ['half an object', json.slice(0, 40)],
    ['the form of the request', form],
    ['a placeholder', '{"summary": "<summary>", "key_decisions": []}'],
    ['a list', '[]'],
    ['longer than a summary can be', `${' '.repeat(262_144)}${json}`],
  ])('is none when it is %s [CI-36, C11]', (_, text) => {
    expect(parseFinalSummary(text)).toBeNull();
  });

  it('leaves out decisions that are placeholders', () => {
    const decisions = [{ text: '…', source_comment_id: '…' }, ...answer.key_decisions];
    expect(parseFinalSummary(JSON.stringify({ ...answer, key_decisions: decisions }))).toEqual(answer);
  });

  it('has a bound for decisions, and takes long ones; small models leave sources out', () => {
    const decisions = Array.from({ length: 60 }, (_, index) => ({ text: `Decision ${index}` }));
    const text = JSON.stringify({ ...answer, key_decisions: [{ text: 'x'.repeat(501) }, ...decisions] });
    const parsed = parseFinalSummary(text);
    expect(parsed?.key_decisions).toHaveLength(50);
    expect(parsed?.key_decisions[1]).toMatchObject({ text: 'Decision 0', source: null, replaces: [] });
    expect(parseFinalSummary('{"summary": "Done."}')).toEqual({ summary: 'Done.', key_decisions: [] });
  });
});
