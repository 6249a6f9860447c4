import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { useDirectory } from '../../test/use-directory.ts';
import { toJournalFiles } from '../places.ts';
import { toRecordSource } from '../record/run-record.ts';
import { openJournalIn, says, toArray } from '../testing/store-setup.ts';
import { createFinalSummaryReader } from './open-run.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const usage = { inputTokens: 90, outputTokens: 10 };
const key_decisions = [{ text: 'Keep the API', source_comment_id: '7', source_sha256: 'aa' }];
const summary = { text: 'They mended it.', fields: { key_decisions }, usage };

const directory = useDirectory();
beforeEach(async () => {
  await writeFile(join(directory.path, 'messages.jsonl'), '');
});

const path = (file: string) => join(directory.path, file);
const openRun = () => openJournalIn(directory.path, { now: () => now });
const open = async () => (await openRun()).journal;
const append = async () => {
  const { appendFinalSummary } = await openRun();
  await appendFinalSummary(summary, new Date(now).toISOString());
};
const readState = () => createFinalSummaryReader(toRecordSource(toJournalFiles(directory.path))).read();
const lines = async () =>
  (await readFile(path('summaries.jsonl'), 'utf8')).split('\n').filter((line) => line !== '');

describe('the final summary of a run', () => {
  it('is the last line of summaries.jsonl, with its decisions and what it cost [CI-36]', async () => {
    const journal = await open();
    await journal.append(says('user', 'Mend it.'));
    await journal.append(says('assistant', 'Mended it now.'));
    expect(await readState()).toEqual({ isThere: false, isUpToDate: false, usages: [] });
    await append();
    expect((await lines()).map((line) => JSON.parse(line))).toEqual([
      {
        id: 1,
        start_seq: 1,
        end_seq: 2,
        summary: 'They mended it.',
        original_tokens: 6,
        summary_tokens: 4,
        ratio: 0.667,
        timestamp: '2026-03-01T12:00:00.000Z',
        after_seq: 2,
        usage: { input_tokens: 90, output_tokens: 10 },
        final: true,
        key_decisions,
      },
    ]);
    expect(await readState()).toEqual({ isThere: true, isUpToDate: true, usages: [usage] });
  });

  it('stands in the place of no message: a run that goes on after it sees the whole conversation', async () => {
    const journal = await open();
    const texts = ['Mend it.', 'Mended.', 'One thing more.'];
    await journal.append(says('user', texts[0] ?? ''));
    await journal.append(says('assistant', texts[1] ?? ''));
    await append();
    const reopened = await open();
    await reopened.append(says('user', texts[2] ?? ''));
    const entries = await toArray(reopened.read());
    expect(entries.map((entry) => entry.type === 'message' && entry.message.content)).toEqual(texts);
    expect(await readFile(path('current.jsonl'), 'utf8')).not.toContain('They mended it.');
    expect(await readState()).toMatchObject({ isThere: true, isUpToDate: false });
  });

  it('is written again when a crash tore it, and counted after summaries of the context [CI-36]', async () => {
    const journal = await open();
    const message = { role: 'user' as const, content: 'Mend it.' };
    await journal.append(says('user', message.content));
    await journal.replaceContext([message], { startSeq: 1, endSeq: 1, text: 'Asked.' });
    await appendFile(
      path('messages.jsonl'),
      '{"fact":"summary","data":{"id":2,"start_seq":1,"end_seq":1,"sum',
    );
    expect(await readState()).toEqual({ isThere: false, isUpToDate: false, usages: [] });
    await append();
    await append();
    expect((await lines()).map((line) => JSON.parse(line).id)).toEqual([1, 2, 3]);
    expect(await readState()).toEqual({ isThere: true, isUpToDate: true, usages: [usage, usage] });
  });

  it('is not asked for where there is nothing to summarize, or nothing that could be read back', async () => {
    await open();
    expect(await readState()).toBeNull();
    const earlier = { seq: 1, role: 'user', content: 'Mend it.', timestamp: '2025-01-01', tokens: 2 };
    await writeFile(path('messages.jsonl'), `${JSON.stringify(earlier)}\n`);
    expect(await readState()).toBeNull();
  });
});
