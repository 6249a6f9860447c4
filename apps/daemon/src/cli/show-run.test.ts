import { expect, it } from 'vitest';
import { formatEntry, toEntryJson } from './show-run.ts';
import { en } from './texts.en.ts';

const call = {
  type: 'tool',
  ...{ seq: 1, tool: 'execute', title: 'npm test\u001b[2J', toolCallId: 'c1', args: {} },
  status: 'success',
  ...{ output: 'ok', failure: null, durationMs: 5, timestamp: '2026-01-01T22:59:00.000Z' },
} as const;

it('shows what an agent says of a call of its own, beside the name of the tool [NX-303]', () => {
  expect(formatEntry(call, { texts: en })).toBe('   ✓ 2026-01-01 22:59:00  execute  5 ms  "npm test"  {}');
  expect(formatEntry({ ...call, title: null }, { texts: en })).toBe(
    '   ✓ 2026-01-01 22:59:00  execute  5 ms  {}',
  );
  expect(toEntryJson(call)).toMatchObject({ tool: 'execute', title: call.title });
});
