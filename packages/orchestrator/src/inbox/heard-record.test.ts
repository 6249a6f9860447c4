import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Observation } from '@agent/comment-detection';
import { createMemoryRunState } from '@agent/run-store/testing';
import { describe, expect, it } from 'vitest';
import { answer, hear, open, setUp, uuid } from '../../test/inbox-bed.ts';
import { silentLogger } from '../host/ports.ts';
import { createDetectionRecord } from '../thread/detection-record.ts';
import { createCommandRecord, finishCommands } from './handled-commands.ts';
import type { RunInboxOptions } from './run-inbox-options.ts';

/** A permission that cannot be asked while `isDown`. */
function failingTrust() {
  const trust = { isDown: true };
  const isTrusted: RunInboxOptions['isTrusted'] = async (account) => {
    if (trust.isDown) throw new Error('503');
    return account?.login === 'alice';
  };
  return { trust, isTrusted };
}

describe('the record of what was heard', () => {
  it.each(['deleted', 'damaged'])(
    'alone says what comes next: every other file may be %s [NX-87, X4]',
    async (harm) => {
      const { openRunInbox, say, snapshot, platform, key, clock, directory, journal, state } = await setUp();
      const old = say('alice', 'blue');
      const first = openRunInbox();
      await open(first, await snapshot());
      const stop = say('alice', '/pause');
      await hear(first);
      await answer(first);
      // Written without waiting for the disk: a read comes after it.
      await state.read('comment_detection_state.json');
      const path = join(directory, 'running', uuid);
      const names = (await readdir(path)).filter(
        (name) =>
          !name.startsWith('messages') &&
          name !== 'metadata.json' &&
          name !== 'summaries.jsonl' &&
          !name.startsWith('obeyed'),
      );
      expect(names).toContain('comment_detection_state.json');
      for (const name of names)
        await (harm === 'deleted'
          ? rm(join(path, name), { recursive: true })
          : writeFile(join(path, name), '{"tor'));
      platform.people.deleteComment(key, old);
      clock.ms += 5_000;
      const next = openRunInbox();
      const told = await hear(next, true);
      expect(told).toMatch(/\[Comment Deleted by @alice\]:[^[]*blue/);
      expect(told).not.toContain('pause');
      expect((await next.summarize()).comments).toMatchObject([
        { kind: 'deleted', delivered: false },
        { kind: 'added', command: { name: 'pause', outcome: 'obeyed' }, delivered: true },
      ]);
      expect((await readAll(journal)).filter(({ type }) => type === 'fact').length).toBeGreaterThan(2);
      expect(stop).not.toBe('');
    },
  );

  it('keeps a look that found much in lines of bounded length, and reads them as one look [NX-15]', async () => {
    const { journal } = await setUp();
    const { observe, read } = createDetectionRecord({
      journal,
      state: createMemoryRunState(),
      startedAt: '2026-03-01T10:00:00Z',
      logger: silentLogger,
    });
    const observations = Array.from({ length: 30 }, (_, index) =>
      toObservation(`${index}`, 'x'.repeat(65_536)),
    );
    const poll = { opening: { historyUntil: null }, observations };
    await observe?.(poll);
    await observe?.({ opening: null, observations: [toObservation('30', 'short')] });
    const facts = (await readAll(journal)).filter(({ type }) => type === 'fact');
    expect(facts.length).toBeGreaterThan(6);
    expect(Math.max(...facts.map((fact) => JSON.stringify(fact).length))).toBeLessThan(300_000);
    const heard = await read();
    expect(heard).toEqual([poll, { opening: null, observations: [toObservation('30', 'short')] }]);
  });

  it('tells apart what stood in a request from what only lies in the journal [NX-8]', async () => {
    const { openRunInbox, say, snapshot, clock } = await setUp();
    const ears = openRunInbox();
    await open(ears, await snapshot());
    say('alice', 'Use euros.');
    await hear(ears);
    const delivered = async () => (await ears.summarize()).comments.map((comment) => comment.delivered);
    expect(await delivered()).toEqual([false]);
    await answer(ears);
    clock.ms += 2_000;
    say('bob', 'I came by after the last look.');
    expect(await delivered()).toEqual([true, false]);
  });
});

describe('a permission that cannot be asked', () => {
  it('makes nobody a stranger: a stop waits, is told as not known yet, and is obeyed after a kill [RL-2, NX-88, NX-89]', async () => {
    const { trust, isTrusted } = failingTrust();
    const { openRunInbox, say, snapshot, controls, clock } = await setUp({}, { isTrusted });
    const ears = openRunInbox();
    await open(ears, await snapshot());
    say('alice', '/stop');
    expect(await hear(ears)).toBeNull();
    clock.ms += 2_000;
    expect(await hear(ears, true)).toContain('not known yet whether');
    expect(await controls.read(uuid)).toEqual([]);
    trust.isDown = false;
    clock.ms += 2_000;
    await hear(openRunInbox());
    expect(await controls.read(uuid)).toEqual(['stop']);
  });
});

describe('a command that was obeyed', () => {
  const begun = async () => {
    const bed = await setUp();
    const ears = bed.openRunInbox();
    await open(ears, await bed.snapshot());
    bed.clock.ms += 2_000;
    return { ...bed, ears };
  };

  it('is not obeyed again by the next process, whoever took it back [NX-89]', async () => {
    const { ears, say, controls, openRunInbox, clock } = await begun();
    say('alice', '/pause');
    await ears.runCommands();
    expect(await controls.read(uuid)).toEqual(['pause']);
    // Killed before the comment was told; resumed from the command line.
    await controls.request(uuid, 'resume');
    clock.ms += 2_000;
    expect(await hear(openRunInbox())).toContain('/pause');
    expect(await controls.read(uuid)).toEqual(['resume']);
  });

  it.each([
    [[], ['pause']],
    [['resume'], ['resume']],
  ] as const)(
    'is asked for by its line where the process died right after it, beside %j [NX-89]',
    async (asked, left) => {
      const { controls, openRunInbox, state } = await begun();
      const line = { comment: '1', revision: 'r', command: 'pause', outcome: 'obeyed' } as const;
      await createCommandRecord(state).write({ ...line, done: false });
      for (const verb of asked) await controls.request(uuid, verb);
      await openRunInbox().runCommands();
      expect(await controls.read(uuid)).toEqual(left);
      expect(await createCommandRecord(state).list()).toEqual([{ ...line, done: true }]);
    },
  );

  it('has its line before anything is asked of the run [NX-89, X16]', async () => {
    const { state } = await begun();
    const record = createCommandRecord(state);
    await record.write({ comment: '1', revision: 'r', command: 'stop', outcome: 'obeyed', done: false });
    const controls = { read: async () => [], request: () => Promise.reject(new Error('EIO')) };
    await expect(finishCommands(record, { uuid, controls })).rejects.toThrow('EIO');
    expect(await createCommandRecord(state).list()).toMatchObject([{ done: false }]);
  });
});

async function readAll(journal: Awaited<ReturnType<typeof setUp>>['journal']) {
  const entries = [];
  for await (const entry of journal.read()) entries.push(entry);
  return entries;
}

function toObservation(id: string, body: string): Observation {
  return {
    ...{ id, revision: `2026-03-01T10:00:00Z ${id}`, kind: 'added', body, authority: 'trusted' },
    ...{ author: null, createdAt: '2026-03-01T10:00:00Z', updatedAt: null },
  };
}
