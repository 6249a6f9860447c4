import type { CommentWriter } from '@agent/platforms';
import type { PrePlanningEvent } from '@agent/pre-planning';
import { createSecretFilters } from '@agent/text/outgoing';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { openRunComments } from '../../test/memory-outbox.ts';
import { type NoticedRun, postNotice } from './notices.ts';

const secret = 'plum orchard lane';
const redactOutgoing = createSecretFilters([secret]).redactOutgoing;

/** Posts these and tells what was written and logged. */
async function post(events: readonly (readonly [object, number])[], failure: Error | null = null) {
  const written: { readonly topic: string; readonly body: string }[] = [];
  const logged: string[] = [];
  const ensureComment = async ({ topic, body }: (typeof written)[number]) => {
    if (failure !== null) throw failure;
    written.push({ topic, body });
    return { id: '1' };
  };
  const logger = pino({ errorKey: 'err' }, { write: (line: string) => logged.push(JSON.parse(line).msg) });
  const run = {
    uuid: 'u',
    logger,
    thread: { writer: openRunComments({ ensureComment } as unknown as CommentWriter, logger) },
  } as unknown as NoticedRun;
  for (const [event, comments] of events)
    await postNotice(run, { event: event as PrePlanningEvent, comments, redactOutgoing });
  return { written, logged };
}

describe('notices of a run that pre-plans', () => {
  it('leave without a secret [PP-31]', async () => {
    const { written } = await post([[{ type: 'collection-end', notice: `It lies at ${secret}.` }, 0]]);
    expect(written).toEqual([{ topic: 'run:u:pre-planning:collection-end', body: 'It lies at [REDACTED].' }]);
  });

  it('each have a topic, so that a crash writes none twice: an understanding by what it takes in, an assumption by its label', async () => {
    const notice = 'x';
    const { written } = await post([
      [{ type: 'analysis-start', notice }, 0],
      [{ type: 'understanding-end', notice }, 0],
      [{ type: 'understanding-end', notice }, 2],
      [{ type: 'collection-start', notice }, 2],
      [{ type: 'collection-progress', notice: null }, 2],
      [{ type: 'assumption-made', assumption: { label: 'A1' }, notice }, 2],
      [{ type: 'assumption-made', assumption: { label: 'A2' }, notice: null }, 2],
      [{ type: 'assumption-made', assumption: { label: 'A3' }, notice }, 2],
    ]);
    expect(written.map(({ topic }) => topic.replace('run:u:pre-planning:', ''))).toEqual([
      'analysis-start',
      'understanding-end:0',
      'understanding-end:2',
      'collection-start',
      'assumption-made:A1',
      'assumption-made:A3',
    ]);
  });

  it('cost the run nothing where the thread cannot be written on', async () => {
    const { logged } = await post([[{ type: 'analysis-start', notice: 'x' }, 0]], new Error('locked'));
    expect(logged).toEqual(['failed to post comment']);
  });
});
