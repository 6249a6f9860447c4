import type { WantedComment } from '@agent/platforms';
import { prePlanningConfigSchema } from '@agent/pre-planning/config';
import type { Locale } from '@agent/text';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { openRunComments } from '../../test/memory-outbox.ts';
import { type CutShortCause, postCutShort } from './notices.ts';

const logger = pino({ level: 'silent' });

interface Telling {
  readonly notification?: object;
  readonly cause?: CutShortCause;
  /** Of writing. */
  readonly failure?: Error;
}

async function tell(
  locale: Locale,
  { notification = {}, cause = 'failure', failure }: Telling = {},
): Promise<object[]> {
  const written: object[] = [];
  const writer = {
    ensureComment: async ({ topic, body }: WantedComment) => {
      if (failure !== undefined) throw failure;
      written.push({ topic, body });
      return { id: '1', url: null, change: 'created' as const };
    },
  };
  const run = {
    uuid: 'u',
    facts: { locale },
    logger,
    thread: { writer: openRunComments(writer) },
  } as unknown;
  const config = prePlanningConfigSchema.parse({ notification });
  await postCutShort(run as Parameters<typeof postCutShort>[0], { config, cause });
  return written;
}

describe('a preparation that fails on the way', () => {
  it.each([
    ['ja', '計画前の情報収集を完了できませんでした'],
    ['en', 'Pre-planning ended early'],
  ] as const)('is told to the thread, by a topic of its own (%s) [PP-31]', async (locale, heading) => {
    expect(await tell(locale)).toEqual([
      { topic: 'run:u:pre-planning:ended-early', body: expect.stringContaining(heading) },
    ]);
  });

  it.each([
    ['ja', 'タスクの上限の4分の1'],
    ['en', 'a quarter of a limit of the task'],
  ] as const)(
    'is told with its reason where its share of a limit is used up (%s) [PP-31, RL-14]',
    async (locale, reason) => {
      expect(await tell(locale, { cause: 'limit' })).toEqual([
        { topic: 'run:u:pre-planning:ended-early', body: expect.stringContaining(reason) },
      ]);
    },
  );

  it('is not told where the end is not either, and where nothing can be told the run goes on [PP-43]', async () => {
    expect(await tell('en', { notification: { notify_on_collection_complete: false } })).toEqual([]);
    expect(await tell('en', { failure: new Error('locked') })).toEqual([]);
  });
});
