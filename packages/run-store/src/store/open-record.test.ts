import { appendFile, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { useDirectory } from '../../test/use-directory.ts';
import { openJournalIn, says, toArray } from '../testing/store-setup.ts';

const directory = useDirectory();
beforeEach(async () => {
  await writeFile(join(directory.path, 'messages.jsonl'), '');
});

const now = () => Date.parse('2026-03-01T12:00:00Z');
const path = (file: string) => join(directory.path, file);
const openJournal = async () => (await openJournalIn(directory.path, { now })).journal;

describe('a journal that something happened to', () => {
  it('goes on from any byte at which a crash cut it: all that was acknowledged, and no more [RL-9]', async () => {
    const journal = await openJournal();
    const texts = ['first', '二番目の行 😀', 'third\nwith a break', 'last'];
    for (const text of texts) await journal.append(says('user', text));
    const whole = await readFile(path('messages.jsonl'));
    const lineEnds = [
      0,
      ...[...whole.entries()].filter(([, byte]) => byte === 0x0a).map(([index]) => index + 1),
    ];
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: whole.length }), async (cut) => {
        await writeFile(path('messages.jsonl'), whole.subarray(0, cut));
        // The first line says what the run is.
        const acknowledged = Math.max(0, lineEnds.filter((end) => end <= cut).length - 2);
        const reopened = await openJournal();
        expect(await reopened.append(says('assistant', 'after'))).toBe(acknowledged + 1);
        const entries = await toArray(reopened.read());
        expect(entries.map((entry) => entry.type === 'message' && entry.message.content)).toEqual([
          ...texts.slice(0, acknowledged),
          'after',
        ]);
      }),
      { numRuns: 60 },
    );
  });

  it('drops a last line whose middle a power cut lost, and says so', async () => {
    const journal = await openJournal();
    await journal.append(says('user', 'first'));
    await appendFile(path('messages.jsonl'), `{"seq":2,\0\0\0\0}\n`);
    const warnings: object[] = [];
    const say = () => undefined;
    const warn = (fields: object) => void warnings.push(fields);
    const logger = { debug: say, info: say, error: say, warn };
    const { journal: reopened } = await openJournalIn(directory.path, { now, logger });
    expect(await toArray(reopened.read())).toHaveLength(1);
    expect(warnings).toEqual([{ path: path('messages.jsonl'), droppedBytes: 15 }]);
  });

  it('stops for good when the disk is full, and says what to do', async () => {
    const journal = await openJournal();
    await journal.append(says('user', 'first'));
    await rm(path('messages.jsonl'));
    await symlink('/dev/full', path('messages.jsonl'));
    const full = { code: 'storage-full', message: expect.stringContaining('free some space') };
    await expect(journal.append(says('user', 'second'))).rejects.toMatchObject(full);
    const call = { toolCallId: 'c1', tool: 'read_file', args: {} };
    await expect(journal.append({ type: 'tool-started', ...call })).rejects.toMatchObject(full);
    expect(await readFile(path('tools.jsonl'), 'utf8')).toBe('');
  });

  it('can still say how the run ended, once there is space again', async () => {
    const journal = await openJournal();
    await rename(path('messages.jsonl'), path('kept'));
    await symlink('/dev/full', path('messages.jsonl'));
    await expect(journal.append(says('user', 'x'))).rejects.toMatchObject({ code: 'storage-full' });
    await rename(path('kept'), path('messages.jsonl'));
    const statistics = { modelCalls: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0, durationMs: 0 };
    await journal.finish({ status: 'failed', reason: 'The disk is full.', finalText: null, statistics });
    expect(JSON.parse(await readFile(path('outcome.json'), 'utf8'))).toMatchObject({ status: 'failed' });
  });

  it('notices that its file vanished instead of writing into nowhere', async () => {
    const journal = await openJournal();
    await rm(path('messages.jsonl'));
    await expect(journal.append(says('user', 'x'))).rejects.toMatchObject({ code: 'storage-failed' });
  });
});
