import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readJsonAnswer } from './read-json-answer.ts';
import { stripThinking } from './strip-thinking.ts';

const schema = z.object({ goal: z.string(), parts: z.array(z.unknown()).optional() });
const read = (text: string) => readJsonAnswer(text, schema);

describe('readJsonAnswer', () => {
  it.each([
    ['bare JSON', '{"goal":"a"}', 'direct'],
    ['a fence', '```json\n{"goal":"a"}\n```', 'extracted'],
    ['a fence without an end', '```\n{"goal":"a"}', 'extracted'],
    ['prose around it', 'Sure! {"goal":"a"} Anything else?', 'extracted'],
    ['thoughts before it', '<think>{"goal":"no"}</think>{"goal":"a"}', 'extracted'],
    ['thoughts that only end', 'so {"goal":"no"}\n</think>\n{"goal":"a"}', 'extracted'],
    ['thoughts in thoughts', '<think>a<think>b</think>{"goal":"no"}</think>{"goal":"a"}', 'extracted'],
    ['nothing but thoughts', '<think>{"goal":"a"}', 'extracted'],
    ['a brace in the prose', 'Use { to open. {"goal":"a"}', 'extracted'],
    ['a correction', '{"goal":"no"} Wait: {"goal":"a"}', 'extracted'],
    ['markers of a template', '<|channel|>final<|message|>{"goal":"a"}<|end|>', 'extracted'],
    ['a brace in a string', 'x {"goal":"a","parts":["}{\\""]}', 'extracted'],
    ['a comma too many', '{"goal":"a",}', 'repaired'],
    ['single quotes', "{'goal': 'a'}", 'repaired'],
    ['comments', '{"goal":"a" /* so */}', 'repaired'],
    ['no quotes around keys', '{goal: "a"}', 'repaired'],
    ['an end in a string', '{"goal":"a","parts":["b', 'repaired'],
    ['an end after a key', '{"goal":"a","parts":', 'repaired'],
    ['an end in a word', '{"goal":"a","parts":[tr', 'repaired'],
    ['an end in an escape', '{"goal":"a","parts":["\\u12', 'repaired'],
  ])('reads through %s', (_, text, way) => {
    expect(read(text)).toMatchObject({ status: 'read', way, answer: { goal: 'a' } });
  });

  it.each([
    ['', 'there was no JSON object in it'],
    ['I would rather talk.', 'there was no JSON object in it'],
    ['3', 'there was no JSON object in it'],
    ['{"aim":"a"}', 'it was JSON of another form (goal: '],
  ])('says what is wrong with %j', (text, problem) => {
    expect(read(text)).toMatchObject({ status: 'unreadable', problem: expect.stringContaining(problem) });
  });

  it('never throws, whatever a model writes', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '"',
      '[',
      ']',
      ',',
      ':',
      '\\',
      '<think>',
      '</think>',
      '```',
      '/*',
      'a',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 200 }), (written) => {
        expect(['read', 'unreadable']).toContain(read(written.join('')).status);
      }),
    );
  });

  it('gives back what was broken off anywhere, or says that it cannot', () => {
    const whole = JSON.stringify({ goal: 'a "b"\n', parts: [{ c: [1, null, 'd'] }, 'e'] });
    for (let length = 14; length < whole.length; length += 1) {
      expect(read(whole.slice(0, length)), whole.slice(0, length)).toMatchObject({ status: 'read' });
    }
  });
});

describe('stripThinking', () => {
  it('leaves a text without thoughts as it is', () => {
    expect(stripThinking('a < b > c <thinker>')).toBe('a < b > c <thinker>');
  });
});
