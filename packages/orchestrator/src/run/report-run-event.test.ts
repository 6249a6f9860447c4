import { expect, it } from 'vitest';
import type { RunLogger } from '../host/ports.ts';
import { createPulse } from '../progress/pulse.ts';
import { reportRunEvent } from './report-run-event.ts';

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
