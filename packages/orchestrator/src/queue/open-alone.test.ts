import { randomUUID } from 'node:crypto';
import { createMemoryPlace, createMemoryRunReader, createMemoryRunStore } from '@agent/run-store/testing';
import type { ModelMessage } from 'ai';
import { expect, it } from 'vitest';
import { openAlone } from './share-work.ts';

const statistics = { modelCalls: 1, toolCalls: 0, inputTokens: 1, outputTokens: 1, durationMs: 1 };

it('a process that was cut off while it began a run leaves the thread to the run that another has begun since, and begins beside none that is at work [NX-140]', async () => {
  const place = createMemoryPlace();
  const store = createMemoryRunStore<ModelMessage>({ place });
  const late = openAlone(store, createMemoryRunReader(place).listRunning);
  const newRun = (taskKeyText: string) => ({
    ...{ uuid: randomUUID(), taskKeyText, host: 'forge.test', user: null, config: {}, extra: {} },
    taskKey: { type: 'github_issue', owner: 'acme', repo: 'shop', number: 1 },
  });
  const first = await store.open(newRun('one'));
  await expect(late.open(newRun('one'))).rejects.toMatchObject({ code: 'owned' });
  await late.open(newRun('two'));
  await first.journal.finish({ status: 'completed', reason: null, finalText: '', statistics });
  await late.open(newRun('one'));
});
