import { expect, it } from 'vitest';
import type { RunLogger } from '../host/ports.ts';
import { createPulse } from '../progress/pulse.ts';
import { reportRunEvent, reportToolEnd } from './report-run-event.ts';

const usage = { inputTokens: 1, outputTokens: 1 };

function listMessages(by: 'agent' | undefined): readonly string[] {
  const messages: string[] = [];
  const info = (_: object, message: string) => messages.push(message);
  const logger = { debug: info, info, warn: info, error: info } as unknown as RunLogger;
  reportRunEvent(logger, { type: 'step-start', step: 1, by });
  for (const tools of [['execute'], []])
    reportRunEvent(logger, { type: 'model-answer', step: 1, by, text: '', tools, usage });
  return messages;
}

it('calls an agent an agent where one works, and a model a model [NX-303]', () => {
  expect(listMessages('agent')).toEqual([
    'starting agent turn',
    'received tool calls from agent',
    'received answer from agent',
  ]);
  expect(listMessages(undefined)).toEqual([
    'calling model',
    'received tool calls from model',
    'received answer from model',
  ]);
  let time = 0;
  const pulse = createPulse(() => time);
  pulse.hear({ type: 'step-start', step: 1, by: 'agent' });
  time = 60_000;
  expect(pulse.read()).toEqual({ kind: 'agent', since: 0 });
});

it('names what failed in the work of a call that was carried out, and warns of one that was not [NX-303]', () => {
  const lines: unknown[] = [];
  const write = (level: string) => (fields: object, message: string) =>
    lines.push({ level, ...fields, message });
  const logger = { info: write('info'), warn: write('warn') } as unknown as RunLogger;
  const end = { type: 'tool-end', step: 1, toolCallId: 'c', args: {}, output: '', durationMs: 2 } as const;
  const place = { step: 1 };
  reportToolEnd(logger, { ...end, tool: 'run_command', status: 'success', failure: 'exit code 1' }, place);
  reportToolEnd(logger, { ...end, tool: 'read_file', status: 'error' }, place);
  const shared = { step: 1, call: '{}', ms: 2 };
  expect(lines).toEqual([
    { level: 'info', ...shared, tool: 'run_command', failure: 'exit code 1', message: 'ran tool' },
    { level: 'warn', ...shared, tool: 'read_file', message: 'tool failed' },
  ]);
});
