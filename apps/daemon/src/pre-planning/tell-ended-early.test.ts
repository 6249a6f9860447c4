import { prePlanningConfigSchema } from '@agent/pre-planning/config';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { tellEndedEarly } from './tell-ended-early.ts';

const logger = pino({ level: 'silent' });

async function tell(locale: 'ja' | 'en', notification: object = {}, failure: Error | null = null) {
  const written: object[] = [];
  const writer = {
    ensureComment: async (comment: object) => {
      if (failure !== null) throw failure;
      written.push(comment);
    },
  };
  const run = { uuid: 'u', facts: { locale }, logger, thread: { writer } } as unknown;
  await tellEndedEarly(
    run as Parameters<typeof tellEndedEarly>[0],
    prePlanningConfigSchema.parse({ notification }),
  );
  return written;
}

describe('a preparation that fails on the way', () => {
  it.each([
    ['ja', '計画前の情報収集を完了できませんでした'],
    ['en', 'Getting Ready Was Not Finished'],
  ] as const)('is told to the thread, by a topic of its own (%s) [PP-31]', async (locale, heading) => {
    expect(await tell(locale)).toEqual([
      { topic: 'run:u:pre-planning:ended-early', body: expect.stringContaining(heading) },
    ]);
  });

  it('is not told where the end is not either, and where nothing can be told the run goes on [PP-43]', async () => {
    expect(await tell('en', { notify_on_collection_complete: false })).toEqual([]);
    expect(await tell('en', {}, new Error('locked'))).toEqual([]);
  });
});
