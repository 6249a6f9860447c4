import { tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runForTest } from '../test/run-setup.ts';
import { createModelOf } from '../test/scripted-model.ts';
import { toRunTools } from './run.ts';

const inputSchema = z.object({ text: z.string() });

describe('tools of the AI SDK', () => {
  it('are run as they are, whatever they give [NX-50]', async () => {
    const tools = {
      count: {
        ...tool({
          description: 'Counts.',
          inputSchema,
          execute: ({ text }) => ({ length: text.length }),
        }),
        readOnly: true,
      },
      echo: tool({ description: () => 'Echoes.', inputSchema, execute: async ({ text }) => text }),
      grow: tool({
        inputSchema,
        async *execute({ text }) {
          yield text;
          yield text + text;
        },
      }),
    };
    expect(
      Object.values(toRunTools(tools)).map(({ description, readOnly }) => [description, readOnly]),
    ).toEqual([
      ['Counts.', true],
      ['Echoes.', false],
      ['', false],
    ]);
    const call = (name: string) => ({ id: name, tool: name, input: { text: 'ab' } });
    const model = createModelOf([call('count'), call('echo'), call('grow')], 'Done.');
    const { journal } = await runForTest({ model, tools });
    const outputs = journal.toolEvents.flatMap((event) =>
      event.type === 'tool-finished' ? event.output : [],
    );
    expect(outputs).toEqual(['{"length":2}', 'ab', 'abab']);
  });

  it('are refused by name where they could not be run [NX-50]', async () => {
    const tools = { ask: tool({ inputSchema, outputSchema: z.string() }) };
    await expect(runForTest({ model: createModelOf('Done.'), tools })).rejects.toThrow(
      'The tool "ask" has no execute',
    );
  });

  it('are told as the caller writes their results', async () => {
    const tools = { sum: tool({ inputSchema, execute: () => ({ sum: 5 }) }) };
    const model = createModelOf([{ id: '1', tool: 'sum', input: { text: 'a' } }], 'Done.');
    const toolResultToText = (result: unknown) => `sum ${(result as { sum: number }).sum}`;
    const { journal } = await runForTest({ model, tools, toolResultToText });
    expect(journal.toolEvents.at(-1)).toMatchObject({ status: 'success', output: 'sum 5' });
  });
});
