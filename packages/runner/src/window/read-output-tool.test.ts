import { wrapToolOutput } from '@agent/text';
import { expect, it } from 'vitest';
import { createMemoryRunJournal } from '../memory-run-journal.ts';
import { createReadOutputTool } from './read-output-tool.ts';

const nonce = '5f0c2c1e-3d0a-4f7e-9a53-1f1f3f1a2b3c';
const room = { maxTokens: 2_000, count: (text: string) => text.length };

async function createJournal() {
  const journal = createMemoryRunJournal();
  const output = Array.from({ length: 900 }, (_, index) => `row ${index + 1}`).join('\n');
  const results = [wrapToolOutput(output, { tool: 'run_command', nonce }), `short\n${'z'.repeat(1_200)}`];
  const content = results.map((value, index) => ({
    type: 'tool-result' as const,
    toolCallId: `c${index}`,
    toolName: 'run_command',
    output: { type: 'text' as const, value },
  }));
  const line = { type: 'message', usage: null, delivers: [] } as const;
  await journal.append({ ...line, message: { role: 'system', content: 'Rules.' }, opens: 2 });
  await journal.append({ ...line, message: { role: 'user', content: 'Mend it.' } });
  const seq = await journal.append({ ...line, message: { role: 'tool', content } });
  return { seq, tool: createReadOutputTool({ journal }) };
}

const read = async (input: object) => {
  const { tool, seq } = await createJournal();
  const named = { handle: `output-${seq}.1`, ...input };
  return tool.execute(named, { toolCallId: '1', room });
};

it('shows as many lines as fit from the first that is wanted, in their envelope, and how to continue', async () => {
  const shown = (await read({ from_line: 851 })).split('\n');
  expect(shown.slice(0, 3)).toEqual([
    'output-3.1, lines 851-902 of 902',
    expect.stringMatching(/^={5} BEGIN TEXT .* output of: run_command /),
    'row 850',
  ]);
  expect(shown.at(-1)).toBe(`===== END TEXT ${nonce} =====`);
  expect(await read({})).toMatch(/^output-3\.1, lines 1-\d+ of 902; continue with from_line \d+\n/);
  expect(await read({ from_line: '10', to_line: 11 })).toContain('\nrow 9\nrow 10\n');
});

it('finds lines by a text, with their numbers', async () => {
  expect(await read({ pattern: 'ROW 89' })).toContain('\n90\trow 89\n');
  expect(await read({ pattern: 'row 89' })).toMatch(/^output-3\.1: 11 of 902 lines contain this text\n/);
  expect(await read({ pattern: '(((' })).toBe('output-3.1: no line contains this text (902 lines).');
});

it('reads long lines in parts, each result of a message, and messages of users', async () => {
  expect(await read({ handle: 'output-3.2', from_line: 3 })).toContain('lines 3-4 of 4\nzzz');
  expect(await read({ handle: 'message-2' })).toBe('message-2, lines 1-1 of 1\nMend it.');
});

it.each(['output-99', 'message-1', 'output-3.9', '../etc/passwd', ''])(
  'refuses the handle "%s"',
  async (handle) => {
    await expect(read({ handle })).rejects.toThrow('There is no output with the handle');
  },
);
