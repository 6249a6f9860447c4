import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeTools, toToolNames } from './mcp-tools.ts';

describe('toToolNames', () => {
  it('puts the name of the server before that of the tool', () => {
    expect([...toToolNames('tracker', ['list', 'get.item', 'get item'])]).toEqual([
      ['list', 'tracker_list'],
      ['get.item', 'tracker_get_item'],
      ['get item', expect.stringMatching(/^tracker_get_item_[0-9a-f]{8}$/)],
    ]);
  });

  it('gives every tool a name of its own that models take, the same whatever else there is', () => {
    const tool = fc.string({ minLength: 1, maxLength: 90, unit: 'grapheme' });
    fc.assert(
      fc.property(fc.uniqueArray(tool, { maxLength: 30 }), (tools) => {
        const names = [...toToolNames('tracker', tools).values()];
        expect(new Set(names).size).toBe(tools.length);
        for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      }),
    );
  });
});

describe('mergeTools', () => {
  it('keeps our own tools, and every other under a name that is free', () => {
    const tool = (description: string) => ({
      description,
      inputSchema: { jsonSchema: {} } as never,
      readOnly: true,
      execute: async () => description,
    });
    const merged = mergeTools(
      { read_file: tool('ours') },
      { read_file: tool('theirs'), box_add: tool('adds') },
    );
    expect(Object.entries(merged).map(([name, { description }]) => [name, description])).toEqual([
      ['read_file', 'ours'],
      ['read_file_2', 'theirs'],
      ['box_add', 'adds'],
    ]);
    const long = 'x'.repeat(64);
    expect(Object.keys(mergeTools({ [long]: tool('a') }, { [long]: tool('b') }))[1]).toBe(
      `${'x'.repeat(62)}_2`,
    );
  });
});
