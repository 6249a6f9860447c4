import { describe, expect, it } from 'vitest';
import { answer, hear, open, setUp, uuid } from '../../test/inbox-bed.ts';
import { noRejections } from '../plan/rejections.ts';
import type { RunInboxOptions } from './run-inbox-options.ts';

describe('ears of a run', () => {
  it('repeat nothing and lose nothing when the process dies between the snapshot and the first line [NX-2, X14]', async () => {
    const { openRunInbox, say, snapshot, clock } = await setUp();
    say('alice', 'first');
    await openRunInbox().begin(await snapshot());
    say('alice', 'second');
    const ears = openRunInbox();
    await open(ears, await snapshot());
    expect(await hear(ears, true)).toBeNull();
    clock.ms += 2_000;
    say('alice', 'third');
    expect(await hear(ears)).toContain('third');
    await answer(ears);
    expect((await ears.summarize()).comments).toMatchObject([{ delivered: true }]);
  });

  it('account for what was commanded, and say where it stands [NX-8, RL-2]', async () => {
    const { openRunInbox, say, snapshot, clock } = await setUp();
    const ears = openRunInbox();
    await ears.begin(await snapshot());
    say('bob', '/stop');
    const stop = say('alice', '/stop');
    clock.ms += 2_000;
    await hear(ears, true);
    const heard = (await ears.summarize()).comments;
    expect(heard.map(({ author, command }) => [author, command])).toEqual([
      ['bob', { name: 'stop', outcome: 'refused' }],
      ['alice', { name: 'stop', outcome: 'obeyed' }],
    ]);
    const { comments } = await snapshot();
    expect(heard[1]?.url).toBe(comments.find(({ id }) => id === stop)?.url);
    expect(heard[1]?.url).toMatch(/^https?:/);
  });

  it.each([
    [true, ['alice']],
    [false, []],
  ])(
    'go on at the end for somebody whose role, asked about afresh, is still there: %s [NX-24]',
    async (isThere, logins) => {
      const isTrusted: RunInboxOptions['isTrusted'] = async (account, { fresh = false } = {}) =>
        account?.login === 'alice' && (isThere || !fresh);
      const { openRunInbox, say, snapshot } = await setUp({}, { isTrusted });
      const ears = openRunInbox();
      await ears.begin(await snapshot());
      say('alice', 'One more thing.');
      const final = say('agent', 'Done.');
      const late = await ears.findLate({ finalCommentId: final, endedAt: null });
      expect(late).toMatchObject([{ comment: { kind: 'added', author: 'alice', delivered: false } }]);
      expect(late.flatMap(({ by }) => by?.login ?? [])).toEqual(logins);
    },
  );

  it('tell a rejection as it was written, with what is known of it where somebody trusted wrote it [NX-4]', async () => {
    const rejections = { ...noRejections, tell: (body: string) => `${body}\n(A1 is rejected.)` };
    const { openRunInbox, say, snapshot, clock } = await setUp({}, { rejections });
    const ears = openRunInbox();
    await ears.begin(await snapshot());
    say('alice', '/reject A1 It rounds once.');
    expect(await hear(ears)).toContain('/reject A1 It rounds once.\n(A1 is rejected.)');
    clock.ms += 2_000;
    say('bob', '/reject A1 It never rounds.');
    const told = await hear(ears);
    expect(told).toContain('It never rounds.');
    expect(told).not.toContain('A1 is rejected');
  });

  it('find nothing unanswered in the next process that was answered in this one [NX-2]', async () => {
    const { openRunInbox, say, snapshot } = await setUp();
    const ears = openRunInbox();
    await open(ears, await snapshot());
    say('alice', 'One more thing.');
    await hear(ears, true);
    await answer(ears);
    const end = { finalCommentId: say('agent', 'Done.'), endedAt: null };
    expect(await openRunInbox().findLate(end)).toEqual([]);
  });

  it('show in their file that the thread could not be read, though nothing was heard [X14, B20]', async () => {
    const { openRunInbox, snapshot, state, platform } = await setUp();
    const ears = openRunInbox();
    await ears.begin(await snapshot());
    const shown = () => state.read('comment_detection_state.json');
    expect(await shown()).toMatchObject({ statistics: { errors: 0 } });
    platform.failNext({ operation: 'listComments', error: new Error('down'), times: 9 });
    expect(await hear(ears)).toBeNull();
    expect(await shown()).toMatchObject({ statistics: { errors: 1 } });
  });

  it('obey what was commanded while no process carried a run that had not begun, once [RL-2, RL-9, NX-4]', async () => {
    const { openRunInbox, say, snapshot, controls, platform, key, clock } = await setUp();
    const old = say('alice', '/stop the last one');
    await openRunInbox().begin(await snapshot(), { wasHeard: () => false });
    expect(await controls.read(uuid)).toEqual(['stop']);
    await controls.remove(uuid, ['stop']);
    say('bob', '/stop');
    const heard = say('alice', '/resume');
    const takeUp = async () => {
      await openRunInbox().begin(await snapshot(), {
        wasHeard: ({ comment }) => comment.id === heard,
      });
      return controls.read(uuid);
    };
    expect(await takeUp()).toEqual([]);
    clock.ms += 2_000;
    platform.people.editComment(key, old, 'Hold on.\n/pause');
    expect(await takeUp()).toEqual(['pause']);
    // What that process kept says that it is known, whoever takes the run up next.
    await controls.remove(uuid, ['pause']);
    await openRunInbox().begin(await snapshot(), {
      wasHeard: () => false,
    });
    expect(await controls.read(uuid)).toEqual([]);
  });

  it('know from the journal alone what the first prompt told, however far our clock is from the platform’s [NX-2, X14]', async () => {
    for (const ownTime of ['2020-01-01T00:00:00Z', '2030-01-01T00:00:00Z']) {
      const { platform, key, openRunInbox, say, snapshot } = await setUp({}, { clock: skewed(ownTime) });
      const ids = [say('alice', 'first'), say('alice', 'second')];
      const first = openRunInbox();
      await open(first, await snapshot());
      say('alice', 'third');
      platform.people.editComment(key, ids[0] ?? '', 'first, mended');
      const ears = openRunInbox();
      const told = await hear(ears);
      expect(told).toContain('third');
      expect(told).toMatch(/\[Comment Edited by @alice\]:[\s\S]*first, mended/);
      expect(told).not.toContain('second');
      expect((await ears.summarize()).comments.map(({ kind }) => kind)).toEqual(['edited', 'added']);
    }
  });

  it('hold back a bot that says too much, say so once, and hear it later [NX-11]', async () => {
    const { openRunInbox, say, snapshot, clock, lines } = await setUp();
    const ears = openRunInbox();
    await ears.begin(await snapshot());
    for (let count = 1; count <= 21; count += 1) say('noise[bot]', `pong ${count}`);
    say('alice', 'A person speaks.');
    const told = await hear(ears);
    expect(told).toContain('A person speaks.');
    expect(told).not.toContain('pong');
    clock.ms += 2_000;
    expect(await hear(ears)).toBeNull();
    expect(lines(40)).toEqual(['muting bot: too many comments in a short time']);
    clock.ms += 10 * 60_000;
    expect(await hear(ears)).toContain('pong 21');
  });

  it('hear nothing of those who are ignored, nor of the agent itself [CD-4, CD-15, CD-44, B17]', async () => {
    const { openRunInbox, say, snapshot } = await setUp({ ignore_users: ['Bob'] }, { botName: 'Robot' });
    const ears = openRunInbox();
    await ears.begin(await snapshot());
    for (const author of ['bob', 'robot', 'robot[bot]']) say(author, 'not this');
    say('alice', 'this');
    expect(await hear(ears)).toMatch(/^\[New Comment from @alice\]:\n[\s\S]*this/);
  });

  it('log in the words and at the levels of the seed [CD-42, CD-49, CD-50, CD-51, CD-52]', async () => {
    const { platform, openRunInbox, say, snapshot, lines, clock } = await setUp();
    const ears = openRunInbox();
    await ears.begin(await snapshot());
    await hear(ears);
    say('alice', 'one');
    say('alice', 'two');
    await hear(ears);
    clock.ms += 2_000;
    platform.failNext({ operation: 'listComments', error: new Error('offline') });
    await hear(ears);
    expect(lines(20)).toEqual([`新規コメントなし (Task: ${uuid})`]);
    expect(lines(30)).toEqual([
      `新規コメントを検出しました: 2件 (Task: ${uuid})`,
      `新規コメントをコンテキストに追加しました: 2件 (Task: ${uuid})`,
    ]);
    expect(lines(40)).toEqual([`コメント取得中にエラー発生: offline (Task: ${uuid})`]);
    expect((await ears.summarize()).statistics).toEqual({
      detection_events: 1,
      detected_comments: 2,
      added_comments: 2,
      errors: 1,
    });
  });

  it('say up to when the thread was read where the look before the end could not be made [B21]', async () => {
    const { platform, openRunInbox, snapshot, clock } = await setUp();
    const ears = openRunInbox();
    await ears.begin(await snapshot());
    await hear(ears, true);
    expect((await ears.summarize()).readUntil).toBeNull();
    const readUntil = new Date(clock.ms).toISOString();
    clock.ms += 60_000;
    platform.failNext({ operation: 'listComments', error: new Error('offline') });
    await hear(ears, true);
    expect((await ears.summarize()).readUntil).toBe(readUntil);
    clock.ms += 60_000;
    await hear(ears, true);
    expect((await ears.summarize()).readUntil).toBeNull();
  });

  it('count nothing where nothing is listened to [CD-39]', async () => {
    const { openRunInbox, say, snapshot } = await setUp({ enabled: false });
    const ears = openRunInbox();
    await ears.begin(await snapshot());
    say('alice', '/stop');
    expect(await hear(ears, true)).toBeNull();
    expect((await ears.summarize()).statistics).toBeNull();
  });
});

describe('commands', () => {
  it('hold in the order in which they were given, and once each [RL-2, RL-5]', async () => {
    const { openRunInbox, say, snapshot, controls } = await setUp();
    const ears = openRunInbox();
    await ears.begin(await snapshot());
    say('alice', '/pause');
    say('alice', '/resume');
    say('bob', '/stop');
    await ears.runCommands();
    expect(await controls.read(uuid)).toEqual(['resume']);
    await controls.remove(uuid, ['resume']);
    expect(await hear(ears, true)).toContain('The command /pause. It was applied');
    expect(await controls.read(uuid)).toEqual([]);
  });

  it('leave what else the comment says to the model [NX-4]', async () => {
    const { openRunInbox, say, snapshot } = await setUp();
    const ears = openRunInbox();
    await ears.begin(await snapshot());
    say('alice', 'Make the header blue.\n/pause until Monday\nAnd the footer red.');
    const told = await hear(ears);
    expect(told).toMatch(/Make the header blue\.\n\(The command \/pause\..*\)\nAnd the footer red\./);
    expect(told).not.toContain('until Monday');
  });
});

/** Our own clock, which stands still far from the platform's; its spacing passes with each look. */
function skewed(iso: string): NonNullable<RunInboxOptions['clock']> {
  let ticks = 0;
  return { now: () => new Date(iso), monotonicNow: () => (ticks += 10_000), sleep: async () => {} };
}
