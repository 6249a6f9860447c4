import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { readJsonAnswer } from './read-json-answer.ts';

const schema = z.object({ goal: z.string(), parts: z.array(z.unknown()).optional() });
const read = (text: string) => readJsonAnswer(text, schema);

afterEach(() => vi.restoreAllMocks());

describe('an answer between braces that belong to prose', () => {
  it.each([
    ['code before and behind it', 'For `if (x) {` I say:\n{"goal":"a"}\nand close it with `}`.', 'extracted'],
    ['a call around it', 'function f() { return {"goal":"a"}; }', 'extracted'],
    ['two braces before it', 'From `{` and `if {` to {"goal":"a"} and `}` and `}`', 'extracted'],
    ['a correction', 'After `{` {"goal":"no"}, no: {"goal":"a"} and `}`', 'extracted'],
    ['a mistake in it', 'For `if (x) {` I say: {"goal":"a",} and `}`', 'repaired'],
    ['what begins as an object', 'With `{ id: x` I say: {"goal":"a"} and `}`', 'extracted'],
  ])('is found: %s', (_, text, way) => {
    expect(read(text)).toEqual({ status: 'read', answer: { goal: 'a' }, way });
  });

  it.each([
    '{"goal":"a","parts":[{"goal":"no"}],}',
    '{goal: "a", parts: [{"goal":"no"}]}',
    '{{"goal":"a", "parts":[{"goal":"no"}],}}',
    '{ /* so */ "goal":"a","parts":[{"goal":"no"}],}',
  ])('is not looked for in an answer that can be repaired: %s', (text) => {
    expect(read(text)).toMatchObject({ status: 'read', way: 'repaired', answer: { goal: 'a' } });
  });

  it.each([
    ['nested prose', (count: number) => `${'{ x '.repeat(60)}${'{"a":[1]} '.repeat(count)}${'}'.repeat(60)}`],
    [
      'nested objects',
      (count: number) => `${'{"a":'.repeat(60)}"${'b'.repeat(10 * count)}"${' x}'.repeat(60)}`,
    ],
    ['many of them', (count: number) => '{ x {"a":1} y } '.repeat(count)],
    ['some in each other', (count: number) => `{ x ${'{ y {"b":2} z }'.repeat(count)} }`],
    ['braces alone', (count: number) => `${'{'.repeat(count)}${'}'.repeat(count)}`],
  ])('costs in proportion to the length of the text: %s', (_, write) => {
    for (const count of [100, 10_000]) {
      const parse = vi.spyOn(JSON, 'parse');
      const text = write(count);
      expect(read(text).status).toBe('unreadable');
      const parsed = parse.mock.calls.reduce((sum, [written]) => sum + written.length, 0);
      expect(parsed / text.length).toBeLessThanOrEqual(3);
      parse.mockRestore();
    }
  });
});

describe('an answer with parts that are whole', () => {
  const answer = z.looseObject({});
  it.each([
    ['{"goal":{"goal":"no"},"parts":[{"a":1}]', { goal: { goal: 'no' }, parts: [{ a: 1 }] }],
    [
      'So: {"plan":{"goal":"a"},"parts":[{"a":1},{"b":2}]',
      { plan: { goal: 'a' }, parts: [{ a: 1 }, { b: 2 }] },
    ],
    ['{"plan":{"goal":"a"}},"parts":[{"a":1}]}', { plan: { goal: 'a' }, parts: [{ a: 1 }] }],
    ['{"plan":{"goal":"say "hi" to {x}"},"parts":[{"a":1}],"b":2', expect.objectContaining({ b: 2 })],
  ])('is read as a whole: %s', (text, whole) => {
    expect(readJsonAnswer(text, answer)).toEqual({ status: 'read', answer: whole, way: 'repaired' });
  });

  it('is not the draft that was broken off before it', () => {
    expect(read('{"goal":"no", wait. Again:\n{"goal":"a"}')).toMatchObject({ answer: { goal: 'a' } });
  });
});
