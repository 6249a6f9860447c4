import { tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runForTest } from '../test/run-setup.ts';
import { createModelOf } from '../test/scripted-model.ts';
import { fromAiSdkTools } from './from-ai-sdk-tools.ts';

const inputSchema = z.object({ text: z.string() });

describe('fromAiSdkTools', () => {
  it('gives the runner tools of the AI SDK, whatever they give [NX-50]', async () => {
    const tools = fromAiSdkTools(
      {
        count: tool({
          description: 'Counts.',
          inputSchema,
          execute: ({ text }) => ({ length: text.length }),
        }),
        echo: tool({ description: () => 'Echoes.', inputSchema, execute: async ({ text }) => text }),
        grow: tool({
          inputSchema,
          async *execute({ text }) {
            yield text;
            yield text + text;
          },
        }),
      },
      { readOnly: ['count'] },
    );
    expect(Object.values(tools).map(({ description, readOnly }) => [description, readOnly])).toEqual([
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

  it('refuses a tool that it could not run, by name [NX-50]', () => {
    expect(() => fromAiSdkTools({ ask: tool({ inputSchema, outputSchema: z.string() }) })).toThrow(
      'The tool "ask" has no execute',
    );
  });
});
