import { describe, expect, it } from 'vitest';
import { TestThread } from '../test/thread-setup.ts';
import { type CommentInboxOptions, createCommentInbox } from './comment-inbox.ts';

async function begun(options: CommentInboxOptions = {}) {
  const thread = new TestThread();
  const given: string[] = [];
  const failures: Error[] = [];
  const inbox = createCommentInbox(thread.source, {
    ...thread.options(),
    commands: ['stop', 'pause'],
    onCommands: async ({ change, commands, earlier }) => {
      const names = commands.map(({ name }) => name).join();
      given.push(`${change.comment.id} ${names}${earlier.length > 0 ? ' again' : ''}`);
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
    },
    tellCommand: ({ name }) => `(${name} was carried out)`,
    ...options,
  });
  await inbox.manager.initialize();
  thread.pass();
  const take = async () => {
    const { delivery } = await inbox.takeDelivery({ barrier: false });
    thread.pass();
    if (delivery !== null) inbox.markDelivered(delivery.receipt);
    return delivery;
  };
  return { thread, inbox, given, failures, take };
}

describe('commands in the inbox', () => {
  it('are carried out before the message is composed, and the rest goes to the model [NX-4]', async () => {
    const { thread, given, take } = await begun();
    thread.say('1', { body: 'Blue, please.\n/stop now\nThanks!' });
    const delivery = await take();
    expect(given).toEqual(['1 stop']);
    expect(delivery?.text).toBe('[New Comment from @alice]:\nBlue, please.\n(stop was carried out)\nThanks!');
    expect(delivery?.hasCommands).toBe(true);
  });

  it('are left as written where their author may not steer, and asked about all the same [NX-4]', async () => {
    const { thread, given, take } = await begun({ authorityOf: () => 'untrusted' });
    thread.say('1', { body: '/stop' });
    expect((await take())?.text).toContain('\n/stop');
    expect(given).toEqual(['1 stop']);
  });

  it('are given by a comment that is nothing but a phrase, which the model reads as written [NX-4]', async () => {
    const { thread, given, take } = await begun({
      readPhrase: (body) => (body === 'Halt!' ? 'stop' : null),
    });
    thread.say('1', { body: 'Halt!' });
    expect((await take())?.text).toBe('[New Comment from @alice]:\nHalt!');
    thread.say('2', { body: 'Halt! Or rather not.' });
    await take();
    thread.say('3', { body: 'Halt!\n/pause' });
    await take();
    expect(given).toEqual(['1 stop', '3 pause']);
  });

  it('are read once for each revision, and again where they could not be carried out [NX-4]', async () => {
    const { thread, given, failures, inbox, take } = await begun();
    failures.push(new Error('disk full'));
    thread.say('1', { body: '/pause' });
    await expect(take()).rejects.toThrow('disk full');
    expect(await inbox.runCommands()).toBe(true);
    expect(await inbox.runCommands()).toBe(false);
    thread.pass();
    await take();
    thread.edit('1', '/pause\nuntil Monday');
    await take();
    expect(given).toEqual(['1 pause', '1 pause', '1 pause again']);
  });

  it('wait until it is known whether their author may give them, also when they were told before [NX-4]', async () => {
    let isDown = true;
    const fresh: unknown[] = [];
    const { thread, given, inbox, take } = await begun({
      authorityOf: (_comment, options) => {
        fresh.push(options.fresh);
        if (isDown) throw new Error('503');
        return 'trusted';
      },
    });
    thread.say('1', { body: '/stop' });
    expect(await take()).toBeNull();
    const { delivery } = await inbox.takeDelivery({ barrier: true });
    expect(delivery?.text).toContain('not known yet whether');
    if (delivery !== null) inbox.markDelivered(delivery.receipt);
    expect(given).toEqual([]);
    isDown = false;
    thread.pass();
    expect((await take())?.text).toContain('delivered before');
    expect(given).toEqual(['1 stop']);
    expect(new Set(fresh)).toEqual(new Set([true]));
  });

  it.each([
    ['/stop', true],
    ['Please:\n／ｓｔｏｐ', true],
    ['/st\u200bop', true],
    ['Do not type /stop here.', false],
    ['> /stop', false],
    ['```\n/stop\n```', false],
    ['See src/stop/pause.ts', false],
    ['/stopped', false],
  ])(
    'have the permission of their author requested again only if one is parsed: %j is %s',
    async (body, expected) => {
      const fresh: unknown[] = [];
      const { thread, take } = await begun({
        cleanText: (text) => text.replaceAll('\u200b', ''),
        authorityOf: (_comment, options) => {
          fresh.push(options.fresh);
          return 'trusted';
        },
      });
      thread.say('1', { body });
      await take();
      expect(new Set(fresh)).toEqual(new Set([expected]));
    },
  );

  it('are forgotten when their comment is deleted before somebody could say', async () => {
    const authorityOf = () => {
      throw new Error('503');
    };
    const { thread, given, inbox, take } = await begun({ authorityOf });
    thread.say('1', { body: '/stop' });
    await take();
    thread.remove('1');
    await inbox.takeDelivery({ barrier: true });
    expect(given).toEqual([]);
  });

  it('are none in the text of the thread itself, which others than its author may edit [NX-91]', async () => {
    const { thread, given, take } = await begun();
    thread.say('thread', { body: 'Do it.', part: 'thread' });
    expect(await take()).toBeNull();
    thread.edit('thread', 'Do it.\n/stop');
    expect((await take())?.text).toContain('/stop');
    expect(given).toEqual([]);
  });

  it('are none in what a page does not show, and a message without one says so', async () => {
    const { thread, given, take } = await begun({
      cleanText: (text) => text.replaceAll(/<!--.*?-->/gs, ''),
    });
    thread.say('1', { body: 'See:\n<!--\n/stop\n-->\n```\n/pause\n```' });
    expect((await take())?.hasCommands).toBe(false);
    expect(given).toEqual([]);
  });
});
