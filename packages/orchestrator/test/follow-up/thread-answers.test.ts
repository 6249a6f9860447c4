import { afterEach, expect, it } from 'vitest';
import { type FollowUpBed, openFollowUpBed, path, repo, type Script } from './follow-up-bed.ts';

let bed: FollowUpBed;
afterEach(() => bed.close());

const first = 'export const sum = (a, b) => a * b;\n';
const second = 'export const sum = (a, b) => a + b;\n';

/** Finds the review thread in which somebody said this. */
function findThread(said: readonly string[], words: string): string {
  for (const text of said) {
    const before = text.slice(0, Math.max(0, text.indexOf(words)));
    const found = [...before.matchAll(/review thread (\d+)/g)].at(-1)?.[1];
    if (found !== undefined) return found;
  }
  return 'none';
}

/** Answers two of three threads by themselves, one of them as settled, and says something else in the end. */
const answering: Script = ({ said, written, answered }) => {
  if (!written.includes(first)) return { write: first };
  if (!said.some((text) => text.includes('Plus, please'))) return { text: 'It multiplies now.' };
  if (!written.includes(second)) return { write: second };
  const kept = answered.filter((text) => text.includes('Saved.')).length;
  const answer = (words: string, text: string, resolved: boolean) => ({
    call: 'answer_review_thread',
    input: { review_thread: findThread(said, words), text, resolved },
  });
  if (answered.every((text) => !text.includes('have not received a review thread')))
    return { call: 'answer_review_thread', input: { review_thread: '4711', text: 'x' } };
  if (kept === 0) return answer('Plus, please', 'It is a sum now.', true);
  if (kept === 1) return answer('Why so short', 'Arrow functions are the style here.', true);
  return { text: 'I repaired the sum.' };
};

it('answers each thread by itself, the others with its last words, and closes only what it may [NX-232]', {
  tags: ['full'],
}, async () => {
  bed = await openFollowUpBed({ script: answering, followUp: { until: 'merged' } });
  const { simulator } = bed;
  let answeredAt: number | null = null;
  await bed.run(async (tick, end) => {
    const say = (body: string) =>
      simulator.reviews.comment({ repo, number: bed.pull(), path, line: 1, author: 'alice', body });
    if (tick === 1) {
      await say('Plus, please.\n/resolve');
      await say('Why so short?');
      await say('A test would be good.');
    }
    const threads = simulator.reviews.threads(repo, bed.pull());
    if (tick > 1 && threads.every(({ comments }) => comments.length === 2)) answeredAt ??= tick;
    if (answeredAt !== null && tick === answeredAt + 2)
      simulator.closeThread(repo, bed.pull(), { merged: true });
    if (bed.ended().completed === 1 || tick > 99) end();
  });
  const threads = simulator.reviews.threads(repo, bed.pull());
  const shown = threads.map(({ comments, resolvedBy }) => [
    comments.length,
    (comments.at(-1)?.body ?? '')
      .replace(/<!--[\s\S]*?-->\s*/g, '')
      .replace(/[0-9a-f]{10}/, 'COMMIT')
      .trim(),
    resolvedBy,
  ]);
  expect(shown).toEqual([
    [2, 'It is a sum now.\n\n(pushed in `COMMIT`)', 'agent'],
    [2, 'Arrow functions are the style here.\n\n(pushed in `COMMIT`)', null],
    [2, 'Done in `COMMIT`.\n\nI repaired the sum.', null],
  ]);
});
