import { expect, it } from 'vitest';
import { LastingAnswers } from './lasting-answers.ts';

const isNo = (error: unknown): boolean => error instanceof RangeError;
const [one, other] = ['1'.repeat(40), '2'.repeat(40)];

/** How often git is asked where a command is given twice. */
function countAsked(args: readonly string[], [first, second] = ['a.git', 'a.git']): number {
  const answers = new LastingAnswers(isNo);
  let asked = 0;
  const ask = () => (asked += 1);
  for (const directory of [first, second]) answers.keep(directory, args, ask);
  return asked;
}

it.each([
  ['diff-tree', '-r', '--raw', one, other],
  ['rev-list', '--count', `${one}...${other}`, '--'],
  ['rev-parse', '--verify', `${one}^{commit}`],
  ['log', '-z', `${one}..${other}`, '--', 'main'],
])('is asked once for what whole object ids say: git %s', (...args) => {
  expect(countAsked(args)).toBe(1);
  expect(countAsked(args, ['a.git', 'b.git'])).toBe(2);
});

it.each([
  ['log', '-z', 'main', '--'],
  ['rev-parse', 'refs/heads/main'],
  ['rev-list', '--count', `${one}..main`],
  ['diff', one.slice(0, 10), other],
  ['update-ref', 'refs/heads/main', one],
  ['commit-tree', one],
  ['log'],
])('is asked each time for what may change: git %s', (...args) => {
  expect(countAsked(args)).toBe(2);
});

it('is asked again after it failed', async () => {
  const answers = new LastingAnswers(isNo);
  const args = ['merge-base', one, other];
  await expect(answers.keep('a.git', args, () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect(await answers.keep('a.git', args, () => Promise.resolve('found'))).toBe('found');
});

it('is asked once whether commits are related, also where the answer is no: it stays one', async () => {
  const answers = new LastingAnswers(isNo);
  const askTwice = async (command: string) => {
    const args = [command, one, other];
    const no = () => Promise.reject(new RangeError('no'));
    await expect(answers.keep('a.git', args, no)).rejects.toThrow('no');
    return answers.keep('a.git', args, () => Promise.resolve('another'));
  };
  await expect(askTwice('merge-base')).rejects.toThrow('no');
  // The object may have come by now.
  expect(await askTwice('rev-parse')).toBe('another');
});
