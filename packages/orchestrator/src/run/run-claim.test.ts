import { randomUUID } from 'node:crypto';
import { PlatformError, type TaskKey } from '@agent/platforms';
import { createMemoryPlatform, type MemoryPlatform } from '@agent/platforms/memory';
import type { Outbox, RecordPosition } from '@agent/run-store';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDoIntent, openMemoryOutbox } from '../../test/memory-outbox.ts';
import { OpenIntentError } from '../intents/call-with-retry.ts';
import { ClaimLostError, type Claims, createClaims, renewalMs } from './run-claim.ts';
import { formatStatusNote, type StatusState } from './status-comment.ts';

const minute = 60_000;
const start = Date.parse('2026-05-01T03:00:00Z');
let warned: { readonly claim: string }[] = [];
const logger = {
  ...{ debug() {}, info() {}, error() {}, child: () => logger },
  warn: (fields: object) => void warned.push(fields as { readonly claim: string }),
};

let time = start;
let skewMs = 0;
let sections = '';
let platform: MemoryPlatform;
let key: TaskKey;
beforeEach(() => {
  time = start;
  skewMs = 0;
  sections = '';
  warned = [];
  platform = createMemoryPlatform({ now: () => new Date(time) });
  key = platform.people.openIssue({ author: 'alice', title: 'Hello' });
});

/** One daemon, with the runs that lie in its directory. */
function openDaemon({ enabled = true }: { readonly enabled?: boolean } = {}) {
  const kept = new Set<string>();
  const claims: Claims = createClaims({
    enabled,
    isKnown: async (uuid) => kept.has(uuid),
    timeZone: 'UTC',
    hearsCommands: true,
    pausedDays: 30,
    doIntent: openDoIntent(() => time),
    now: () => time + skewMs,
    logger,
  });
  const begin = (
    locale: 'en' | 'ja' = 'en',
    uuid: string = randomUUID(),
    position: () => RecordPosition = () => ({ line: 3, check: 'ab12' }),
  ) => {
    kept.add(uuid);
    const noted: RecordPosition[] = [];
    const onNoted = async (place: RecordPosition) => void noted.push(place);
    const startedAt = new Date(time).toISOString();
    const serverNow = () => time;
    const { writer, ownComments } = platform.openThread(key);
    const readSections = async () => sections;
    const outbox = openMemoryOutbox({ now: () => time });
    return {
      uuid,
      noted,
      outbox,
      ...claims.of({
        ...{ uuid, locale, kind: 'issue', startedAt, position, outbox, onNoted, readSections, serverNow },
        thread: { writer, ownComments },
        logger,
      }),
    };
  };
  const findHolder = async () => {
    const listing = await platform.openThread(key).comments.listComments({ since: null });
    return claims.findHolder(listing, {
      ownAccount: await platform.identity.whoAmI(),
      serverNow: () => time,
    });
  };
  return { begin, findHolder };
}

const bodies = () => platform.people.commentsOn(key).map(({ body }) => body);
const pass = (minutes: number) => {
  time += minutes * minute;
};

describe('two daemons of one account, in two directories', () => {
  it('the claim with the lower comment id holds, and the other is taken back [NX-99]', async () => {
    const one = openDaemon().begin();
    const other = openDaemon().begin();
    await one.hold();
    const lost = await other.hold().catch((error: unknown) => error);
    expect(lost).toBeInstanceOf(ClaimLostError);
    expect(String(lost)).toMatch(/^ClaimLostError: Withdrawn: /);
    expect(lost).toMatchObject({ holder: one.uuid });
    await other.withdraw();
    await one.hold();
    expect(bodies()).toHaveLength(1);
    expect(bodies()[0]).toContain(`run:${one.uuid}:status`);
  });

  it('what a claim says of a run that nobody carries is corrected, and nothing else of it, and never made anew [NX-242]', async () => {
    const { claim: dead, noted } = ((run) => ({ claim: run, noted: run.noted }))(openDaemon().begin());
    await dead.correct();
    expect(bodies()).toEqual([]);
    await dead.hold();
    sections = 'what was done';
    await dead.correct();
    expect(bodies()).toEqual([expect.stringMatching(/record=3:ab12[\s\S]*Queued\.[\s\S]*what was done/)]);
    // It holds its thread still.
    await expect(openDaemon().begin().hold()).rejects.toMatchObject({ holder: dead.uuid });
    expect(noted).toEqual([]);
    await dead.rest('paused');
    await dead.correct();
    expect(bodies()[0]).toContain('Paused');
    await dead.end();
    await dead.correct();
    expect(bodies()[0]).toContain('🤖 This task has ended.');
  });

  it('a thread with a claim of another directory is not begun; one of the same directory is for its queue [NX-99]', async () => {
    const here = openDaemon();
    const { uuid, hold, end } = here.begin();
    await hold();
    expect(await here.findHolder()).toBe(null);
    const there = openDaemon();
    expect(await there.findHolder()).toBe(uuid);
    await end();
    expect(await there.findHolder()).toBe(null);
  });

  it('a claim that was not renewed for an hour lets go, and whoever wakes with it has lost it [NX-99]', async () => {
    const asleep = openDaemon().begin();
    await asleep.hold();
    pass(61);
    const there = openDaemon();
    expect(await there.findHolder()).toBe(null);
    const next = there.begin();
    expect(warned).toEqual([]);
    await next.hold();
    expect(warned).toEqual([{ claim: asleep.uuid }]);
    expect(bodies()).toHaveLength(1);
    await expect(asleep.hold()).rejects.toMatchObject({ holder: next.uuid });
    await asleep.withdraw();
    await next.hold();
    expect(bodies()).toHaveLength(1);
  });

  it('a claim that is confirmed is renewed where it is old, and holds on [NX-99]', async () => {
    const one = openDaemon().begin();
    await one.hold();
    const [{ updatedAt: written } = {}] = platform.people.commentsOn(key);
    time += renewalMs - 1_000;
    await one.hold();
    expect(platform.people.commentsOn(key)).toMatchObject([{ updatedAt: written }]);
    time += 1_000;
    await one.hold();
    expect(platform.people.commentsOn(key)[0]?.updatedAt).not.toBe(written);
    for (let passed = 0; passed < 5; passed += 1) {
      time += renewalMs;
      await one.hold();
    }
    const there = openDaemon();
    expect(await there.findHolder()).toBe(one.uuid);
    await expect(there.begin().hold()).rejects.toMatchObject({ holder: one.uuid });
  });

  it.each([26, -26])(
    'a claim holds for an hour of the platform where the clock of the other is %i hours off [NX-99]',
    async (hours) => {
      const one = openDaemon().begin();
      await one.hold();
      skewMs = hours * 60 * minute;
      const there = openDaemon();
      expect(await there.findHolder()).toBe(one.uuid);
      await expect(there.begin().hold()).rejects.toMatchObject({ holder: one.uuid });
      pass(61);
      expect(await there.findHolder()).toBe(null);
      await there.begin().hold();
    },
  );

  it('a claim of a run that is paused holds for as long as the run is kept [NX-99]', async () => {
    const one = openDaemon().begin();
    await one.hold();
    await one.rest('paused');
    pass(29 * 24 * 60);
    const there = openDaemon();
    expect(await there.findHolder()).toBe(one.uuid);
    pass(2 * 24 * 60);
    expect(await there.findHolder()).toBe(null);
  });

  it('whose comment somebody deletes claims again where nobody else has, and loses where somebody has [NX-99]', async () => {
    const one = openDaemon().begin();
    const remove = () => platform.people.deleteComment(key, platform.people.commentsOn(key)[0]?.id ?? '');
    await one.hold();
    remove();
    await one.hold();
    expect(bodies()).toHaveLength(1);
    remove();
    const other = openDaemon().begin();
    await other.hold();
    await expect(one.hold()).rejects.toBeInstanceOf(ClaimLostError);
  });

  it('whose comment somebody deletes is renewed no more before it claims again [NX-99, NX-236]', async () => {
    const one = openDaemon().begin();
    await one.renew('working');
    expect(bodies()).toEqual([]);
    await one.hold();
    platform.people.deleteComment(key, platform.people.commentsOn(key)[0]?.id ?? '');
    for (const state of ['working', 'queued', 'interrupted'] as const) await one.renew(state);
    expect(bodies()).toEqual([]);
    await one.hold();
    await one.renew('queued');
    expect(bodies()).toEqual([expect.stringContaining('Queued.')]);
  });

  it('a claim that somebody copied is none [NX-99]', async () => {
    const one = openDaemon().begin();
    await one.hold();
    const [body = ''] = bodies();
    await one.withdraw();
    platform.people.comment(key, { author: 'alice', body });
    const there = openDaemon();
    expect(await there.findHolder()).toBe(null);
    await there.begin().hold();
  });

  it('are not kept apart where the status comment is switched off, and none is written [NX-100]', async () => {
    const one = openDaemon({ enabled: false });
    const run = one.begin();
    await run.hold();
    await run.renew('working');
    await run.end();
    expect(bodies()).toEqual([]);
    await openDaemon().begin().hold();
    expect(await one.findHolder()).toBe(null);
  });
});

describe('the status comment of a run', () => {
  it.each([
    ['en', 'Working on this since 2026-05-01 03:00 UTC.', '/stop', '[final report](https://'],
    ['ja', '2026-05-01 03:00 UTC から作業しています。', '/stop', '[最終報告](https://'],
  ] as const)(
    'says in %s who works since when and how to stop it, then links the end [NX-100]',
    async (locale, ...words) => {
      const [since, stop, link] = words;
      const run = openDaemon().begin(locale);
      await run.hold();
      expect(bodies()[0]).toContain(since);
      expect(bodies()[0]).toContain(stop);
      const { writer } = platform.openThread(key);
      await writer.ensureComment({ topic: `run:${run.uuid}:final`, body: 'Done.' });
      await run.end();
      expect(bodies()).toHaveLength(2);
      expect(bodies()[0]).toContain(link);
      expect(bodies()[0]?.split('\n')).toHaveLength(3);
    },
  );

  it('keeps the place of the record that it noted while the run was at work, where the run is left [NX-101, NX-173]', async () => {
    let line = 3;
    const run = openDaemon().begin('en', randomUUID(), () => ({ line, check: `c${line}` }));
    await run.hold({ begins: true });
    line = 4;
    await run.renew('working');
    line = 5;
    await run.renew('queued');
    expect(bodies()[0]).toContain('record=4:c4');
    await run.rest('paused');
    expect(bodies()[0]).toContain('record=5:c5');
  });

  it('tells which place of the record an earlier process noted, and nothing of its own [NX-101]', async () => {
    const run = openDaemon().begin();
    await run.hold({ begins: true });
    await run.renew('working');
    await run.hold();
    expect(run.noted).toEqual([]);
    const next = openDaemon().begin('en', run.uuid);
    await next.hold();
    expect(next.noted).toEqual([{ line: 3, check: 'ab12' }]);
  });

  // A run whose directory came back from a backup, after its end, knows nothing of that.
  it('tells which place of the record was noted at an end that the record does not know, and is not held again [NX-101, NX-173]', async () => {
    const run = openDaemon().begin();
    await run.hold();
    await run.end();
    const before = bodies();
    const restored = openDaemon().begin('en', run.uuid);
    await expect(restored.hold()).rejects.toThrow('has already ended');
    expect(restored.noted).toEqual([{ line: 3, check: 'ab12' }]);
    expect(bodies()).toEqual(before);
  });

  it('is not made where the run ends without having claimed its thread [NX-100]', async () => {
    const run = openDaemon().begin();
    await run.end();
    expect(bodies()).toEqual([]);
  });

  it.each<StatusState>(['claimed', 'working', 'paused', 'ended'])(
    'keeps a note of its state: %s',
    (state) => {
      const at = '2026-05-01T03:00:00.000Z';
      expect(formatStatusNote({ state, at, position: null })).toBe(`state=${state} at=${at}`);
      expect(formatStatusNote({ state, at, position: { line: 12, check: '9f' } })).toBe(
        `state=${state} at=${at} record=12:9f`,
      );
    },
  );
});

describe('while the platform refuses writes', () => {
  const refuseWrites = (code: 'forbidden' | 'conflict' | 'invalid' | 'unavailable', times = 1) => {
    const error = new PlatformError('archived', { code });
    for (let time = 0; time < times; time += 1) platform.failNext({ operation: 'ensureComment', error });
  };
  const states = async ({ outbox }: { readonly outbox: Outbox }) =>
    (await outbox.list()).map(({ kind, state }) => `${kind} ${state}`);

  it.each(['forbidden', 'conflict', 'invalid'] as const)(
    'a thread that cannot be claimed (%s) is an open entry, and claimed later [NX-99]',
    async (code) => {
      const run = openDaemon().begin();
      refuseWrites(code);
      await expect(run.hold({ begins: true })).rejects.toBeInstanceOf(OpenIntentError);
      expect(await states(run)).toEqual(['hold open']);
      await run.hold({ begins: true });
      expect(await states(run)).toEqual(['hold done']);
      expect(bodies()).toHaveLength(1);
    },
  );

  it.each(['forbidden', 'conflict', 'invalid', 'unavailable'] as const)(
    'a claim that stands holds until it expires (%s) [NX-99]',
    async (code) => {
      const run = openDaemon().begin();
      await run.hold({ begins: true });
      pass(25);
      refuseWrites(code, 2);
      await run.hold();
      pass(40);
      await expect(run.hold()).rejects.toMatchObject({ message: 'archived' });
      await run.hold();
      expect(bodies()).toHaveLength(1);
      expect(run.commentId()).not.toBeNull();
    },
  );

  it('a thread that cannot be read is an open entry, and read again later [NX-99]', async () => {
    const run = openDaemon().begin();
    await run.hold({ begins: true });
    const error = new PlatformError('no access', { code: 'forbidden' });
    platform.failNext({ operation: 'listOwnComments', error });
    await expect(run.hold()).rejects.toBeInstanceOf(OpenIntentError);
    expect(await states(run)).toEqual(['hold done', 'hold open']);
    await run.hold();
    expect(await states(run)).toEqual(['hold done', 'hold done']);
  });

  it('a claim is renewed by a process whose clock is a day behind [NX-99]', async () => {
    const run = openDaemon().begin();
    await run.hold({ begins: true });
    const before = platform.people.commentsOn(key)[0]?.updatedAt;
    pass(-26 * 60);
    await run.hold();
    expect(platform.people.commentsOn(key)[0]?.updatedAt).not.toBe(before);
  });
});
