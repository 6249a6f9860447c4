import { describe, expect, it } from 'vitest';
import { BotError } from '../bot-error.ts';
import { extractOutputText, parseResponse } from './parse-response.ts';

const extract = (response: object): string => extractOutputText(parseResponse(JSON.stringify(response)));
const message = (...content: object[]): object => ({ type: 'message', role: 'assistant', content });
const text = (said: string): object => ({ type: 'output_text', text: said });

describe('extractOutputText', () => {
  it('puts the texts of all messages together and leaves out the rest [TC-53, TC-11]', () => {
    const output = [
      { type: 'reasoning', content: [{ type: 'reasoning_text', text: 'thoughts' }] },
      message(text('one '), text('two')),
      { type: 'function_call', name: 'f', arguments: '{}' },
      message(text(' three\n')),
    ];
    expect(extract({ output })).toBe('one two three');
  });

  it('gives a refusal as what the model says [TC-53]', () => {
    expect(extract({ output: [message({ type: 'refusal', refusal: 'I would rather not.' })] })).toBe(
      'I would rather not.',
    );
  });

  it('reads what other servers send: plain content, only `output_text`, nulls [TC-53]', () => {
    expect(extract({ output: [{ type: 'message', content: 'plain' }] })).toBe('plain');
    expect(extract({ output: null, output_text: 'short' })).toBe('short');
    expect(extract({ error: null, output: [{ type: 'message', content: null }] })).toBe('');
    expect(extract({ output: [] })).toBe('');
  });
});

describe('parseResponse', () => {
  it.each([
    ['no JSON', '<html>', 'model-unreadable'],
    ['an array', '[]', 'model-unreadable'],
    ['no output', '{"id":"1"}', 'model-unreadable'],
    ['another shape', '{"output":"text"}', 'model-unreadable'],
    ['a failure', '{"status":"failed","output":[]}', 'model-failed'],
    ['an error beside an output', '{"error":{"code":"x"},"output":[]}', 'model-failed'],
  ])('tells %s [TC-42]', (_, given, code) => {
    const parse = (): unknown => {
      try {
        return parseResponse(given);
      } catch (error) {
        return BotError.isInstance(error) ? error.code : error;
      }
    };
    expect(parse()).toBe(code);
  });
});
