import type { RunJournal } from '@agent/run-store';
import type { ModelMessage } from 'ai';
import { expect, it } from 'vitest';
import { countToolCalls } from './compose-final-comment.ts';

it('counts what was called before the journal was opened with what it holds, most used first', async () => {
  const calls = ['read_file', 'run_command', 'read_file'].map((toolName, index) => {
    return { type: 'tool-call' as const, toolCallId: `${index}`, toolName, input: {} };
  });
  const message: ModelMessage = { role: 'assistant', content: calls };
  const read: RunJournal<ModelMessage>['read'] = async function* () {
    const timestamp = '2026-03-01T10:00:00Z';
    yield { type: 'message', seq: 1, timestamp, message, usage: null, delivers: [] };
  };
  expect(await countToolCalls({ read }, { before: { search_files: 3, run_command: 1 } })).toEqual([
    { tool: 'search_files', calls: 3 },
    { tool: 'run_command', calls: 2 },
    { tool: 'read_file', calls: 2 },
  ]);
});
