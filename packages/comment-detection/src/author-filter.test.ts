import { describe, expect, it } from 'vitest';
import { TestThread } from '../test/thread-setup.ts';
import type { CommentAuthor } from './comment.ts';

async function begun(options: Parameters<TestThread['manager']>[0] = {}) {
  const thread = new TestThread();
  const manager = thread.manager(options);
  await manager.initialize();
  thread.pass();
  return { thread, manager };
}

const by = (login: string, id = '1') => ({ author: { id, login } satisfies CommentAuthor });

describe('who is speaking', () => {
  it("never reports the agent's own comments [CD-4] [CD-15] [CD-T5]", async () => {
    const { thread, manager } = await begun({ botUsername: 'my-agent' });
    for (const login of ['my-agent', 'My-Agent', 'my-agent[bot]', 'somebody']) thread.say(login, by(login));
    expect((await manager.checkForNewComments()).map(({ id }) => id)).toEqual(['somebody']);
  });

  it('knows the account by its number first, whatever it is called [CD-15] [CD-29]', async () => {
    const { thread, manager } = await begun({ botUsername: 'agent', botId: '42' });
    expect(manager.isBotComment(thread.say('1', by('renamed', '42')))).toBe(true);
    expect(manager.isBotComment(thread.say('2', by('agent', '7')))).toBe(false);
    expect(manager.isBotComment(thread.say('3', by('agent', '')))).toBe(true);
    expect(manager.isBotComment(thread.say('4', { author: null }))).toBe(false);
  });

  it('warns when the account is unknown, and detects everybody then [CD-44, B7]', async () => {
    const { thread, manager } = await begun({ botUsername: null });
    expect(thread.logged).toEqual([expect.stringContaining('WARNING - cannot recognize own comments')]);
    thread.say('1', by('agent'));
    expect(await manager.checkForNewComments()).toHaveLength(1);
  });

  it('without a name, knows its comments by id, and by what it said in the last ten minutes [CD-45, B7]', async () => {
    const { thread, manager } = await begun({ botUsername: null });
    manager.recordPosted({ id: '1', body: 'Working on it.' });
    manager.recordPosted({ id: '?', body: 'Done.\n' });
    thread.say('1', { body: 'changed by an app' });
    thread.say('2', { body: '<!-- mark -->\nDone.' });
    thread.say('3', { body: 'Done. Really?' });
    expect((await manager.checkForNewComments()).map(({ id }) => id)).toEqual(['3']);
    thread.pass(600_001);
    thread.say('4', { body: 'Done.' });
    expect((await manager.checkForNewComments()).map(({ id }) => id)).toEqual(['4']);
  });

  it('knows its words among spaces and marks, and does not read what is far longer [CD-45]', async () => {
    const { thread, manager } = await begun({ botUsername: null });
    manager.recordPosted({ id: '?', body: 'a\u0301 done.\nb' });
    thread.say('1', { body: `<!-- ${'m'.repeat(900)} -->\r\n\u00e1 done.\r\nb\r\n` });
    thread.say('2', { body: `\u00e1 done. b${' '.repeat(65_536)}` });
    expect((await manager.checkForNewComments()).map(({ id }) => id)).toEqual(['2']);
  });

  it('takes back a comment that a poll saw before its post was answered [CD-45]', async () => {
    const { thread, manager } = await begun({ botUsername: null });
    thread.say('5');
    await manager.checkForChanges();
    manager.recordPosted({ id: '5', body: 'other' });
    expect(manager.listUndelivered()).toEqual([]);
  });

  it('reads a comment for an echo up to twice its words and room for marks, and no further [CD-45]', async () => {
    const { thread, manager } = await begun({ botUsername: null });
    const said = 'Done.';
    manager.recordPosted({ id: '?', body: said });
    const longest = 2 * said.length + 1_000;
    thread.say('1', { body: said.padEnd(longest) });
    thread.say('2', { body: said.padEnd(longest + 1) });
    expect((await manager.checkForNewComments()).map(({ id }) => id)).toEqual(['2']);
  });

  it('without a name, knows its comments by the mark that it is told of [CD-45, B7]', async () => {
    const isOwnComment = ({ body }: { body: string }) => body.includes('<!-- ours -->');
    const { thread, manager } = await begun({ botUsername: null, isOwnComment });
    thread.say('1', { body: 'By hand.' });
    thread.say('2', { body: 'Done. <!-- ours -->' });
    expect((await manager.checkForNewComments()).map(({ id }) => id)).toEqual(['1']);
  });

  it('leaves out whom it is told to ignore, and comments that it is told are its own [CD-15]', async () => {
    const isOwnComment = ({ body }: { body: string }) => body.includes('<!-- ours -->');
    const { thread, manager } = await begun({ ignoreUsers: ['CI[bot]'], isOwnComment });
    thread.say('1', by('ci'));
    thread.say('2', { body: 'x <!-- ours -->' });
    thread.say('3', by('bob'));
    expect((await manager.checkForNewComments()).map(({ id }) => id)).toEqual(['3']);
  });

  it('holds back a bot of which more than 20 comments come in ten minutes, says so once, hears it later [NX-11]', async () => {
    const { thread, manager } = await begun();
    for (let id = 1; id <= 21; id += 1) thread.say(String(id), by('chatter[bot]'));
    thread.say('22', by('alice'));
    expect((await manager.checkForNewComments()).map(({ id }) => id)).toEqual(['22']);
    thread.pass();
    expect(await manager.checkForNewComments()).toEqual([]);
    expect(manager.listUndelivered()).toHaveLength(22);
    expect(thread.logged.filter((line) => line.includes('too many comments'))).toHaveLength(1);
    thread.pass(600_000);
    expect(await manager.checkForNewComments()).toHaveLength(21);
  });

  it('hears other bots as long as they say little [NX-11]', async () => {
    const { thread, manager } = await begun();
    for (let id = 1; id <= 20; id += 1)
      thread.say(String(id), { author: { id: '3', login: 'ci', kind: 'bot' } });
    expect(await manager.checkForNewComments()).toHaveLength(20);
  });
});
