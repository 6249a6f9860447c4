import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readJsonAnswer } from './read-json-answer.ts';

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
    [
      'a call written as text',
      '<tool_call>{"name":"answer","arguments":{"goal":"a"}}</tool_call>',
      'extracted',
    ],
    ['a call with JSON in a string', '{"name":"answer","arguments":"{\\"goal\\":\\"a\\"}"}', 'direct'],
    ['a call in its frame', '{"tool_calls":[{"function":{"arguments":"{\\"goal\\":\\"a\\"}"}}]}', 'direct'],
    ['a frame of its own', '{"response":{"goal":"a"}}', 'direct'],
    ['JSON in a JSON string', JSON.stringify('{"goal":"a"}'), 'extracted'],
    ['JSON in a string in a string', JSON.stringify(JSON.stringify(' {"goal":"a"}')), 'extracted'],
    ['the form after the answer', '{"goal":"a"}\nThe form was: {"goal":"…","parts":["..."]}', 'extracted'],
    ['the form after a broken answer', '{"goal":"a",} {"goal":"…"}', 'repaired'],
    ['a draft in thoughts', '<think>{"goal":"no"}</think>{"goal":"a",}', 'repaired'],
    ['a brace in thoughts without a beginning', 'so { "no \nthen</think>{"goal":"a"}', 'extracted'],
    ['a tag in the prose', 'I took out </think>: {"goal":"a"}', 'extracted'],
    ['brackets in full width', '結果です：｛"goal"："a"，"parts"：［1，2］｝', 'repaired'],
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

  it.each([
    ['whole', (json: string) => json, 'direct'],
    ['fenced', (json: string) => `\`\`\`json\n${json}\n\`\`\``, 'extracted'],
    ['after thoughts', (json: string) => `<think>{"goal":"no"} hm</think>\n${json}`, 'extracted'],
    ['with a mistake', (json: string) => json.replace(/}$/, ',}'), 'repaired'],
    ['broken off', (json: string) => json.replace(/}$/, ''), 'repaired'],
  ])('leaves tags of thoughts in texts where they are, in an answer that is %s', (_, write, way) => {
    for (const goal of ['Strip <think> tags', 'End at </think>, not before', '<think>x</think> stays']) {
      expect(read(write(JSON.stringify({ goal })))).toEqual({ status: 'read', answer: { goal }, way });
    }
  });

  it('reads any JSON as it is, tags and dots in its texts too', () => {
    const word = fc.constantFrom('<think>', '</think>', '<reasoning>', '"', '\\', '{', '}', '\n', '…', 'a');
    const text = fc.array(word, { maxLength: 8 }).map((words) => `b${words.join('')}`);
    fc.assert(
      fc.property(text, fc.array(text), (goal, parts) => {
        const written = JSON.stringify({ goal, parts });
        expect(read(written)).toEqual({ status: 'read', answer: { goal, parts }, way: 'direct' });
      }),
    );
  });

  it.each(['{"goal":"…"}', '{"goal":"...","parts":["‥", "one|other"]}', 'So: {"goal":"…",}'])(
    'takes the form that was shown for no answer: %s',
    (text) => {
      expect(read(text)).toMatchObject({ status: 'unreadable', problem: 'the form was returned unchanged' });
    },
  );

  it('takes the form that a model was shown for no answer, with its dots and its choices', () => {
    expect(read('{"goal":"…","parts":["low|medium|high"]}')).toMatchObject({
      status: 'unreadable',
      problem: 'the form was returned unchanged',
    });
    const answer = { goal: 'user|admin', parts: [] };
    expect(read(JSON.stringify(answer))).toMatchObject({ status: 'read', answer });
    expect(read('{"goal":"a","parts":["…"]}')).toMatchObject({ answer: { goal: 'a', parts: [] } });
  });

  it('says whether there was JSON at all', () => {
    expect(read('{"aim":"a"}')).toMatchObject({ isJson: true });
    expect(read('I would rather talk.')).toMatchObject({ isJson: false });
  });

  it('says what was wrong with the object that comes nearest, not with what is left of it', () => {
    expect(read('{"aim":"a"} {"goal":3} {')).toMatchObject({ problem: expect.stringContaining('goal: ') });
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
