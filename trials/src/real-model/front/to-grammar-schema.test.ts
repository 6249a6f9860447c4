import { describe, expect, it } from 'vitest';
import { toCallSchema, toGrammarSchema } from './to-grammar-schema.ts';

describe('toGrammarSchema', () => {
  it('keeps the form of values and leaves out what only checks them, at every depth', () => {
    const path = { type: 'string', pattern: '^/', minLength: 1 };
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        path,
        lines: { type: 'array', items: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] } },
      },
      required: ['path'],
      additionalProperties: false,
    };
    expect(toGrammarSchema(schema)).toEqual({
      type: 'object',
      properties: {
        path: { type: 'string', minLength: 1 },
        lines: { type: 'array', items: { oneOf: [{ type: 'integer' }, { type: 'null' }] } },
      },
      additionalProperties: false,
    });
  });

  it('keeps a property that has the name of a keyword', () => {
    expect(toGrammarSchema({ type: 'object', properties: { pattern: { type: 'string' } } })).toEqual({
      type: 'object',
      properties: { pattern: { type: 'string' } },
    });
  });
});

describe('toCallSchema', () => {
  it('allows one call of one of the tools', () => {
    const tools = [{ name: 'finish', description: undefined, parameters: undefined }];
    expect(toCallSchema(tools)).toEqual({
      oneOf: [{ type: 'object', properties: { name: { const: 'finish' }, arguments: { type: 'object' } } }],
    });
  });
});
