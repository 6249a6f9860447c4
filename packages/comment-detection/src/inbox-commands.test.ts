import { describe, expect, it } from 'vitest';
import { TestThread } from '../test/thread-setup.ts';
import { type CommentInboxOptions, createCommentInbox } from './comment-inbox.ts';

async function begun(options: CommentInboxOptions = {}) {
  const thread = new TestThread();
  const given: string[] = [];
  const answers: ('settled' | 'later')[] = [];
  const inbox = createCommentInbox(thread.source, {
    ...thread.options(),
    commands: ['stop', 'pause'],
    onCommands: async ({ change, commands, earlier }) => {
      const names = commands.map(({ name }) => name).join();
      given.push(`${change.comment.id} ${names}${earlier.length > 0 ? ' again' : ''}`);
      return answers.shift() ?? 'settled';
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
  return { thread, inbox, given, answers, take };
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

  it('are asked about once for each revision, and again while it could not be said [NX-4]', async () => {
    const { thread, given, answers, inbox, take } = await begun();
    answers.push('later', 'later');
    thread.say('1', { body: '/pause' });
    expect((await take())?.hasCommands).toBe(true);
    expect(await inbox.runCommands()).toBe(true);
    expect(await inbox.runCommands()).toBe(true);
    expect(await inbox.runCommands()).toBe(false);
    thread.edit('1', '/pause\nuntil Monday');
    await take();
    expect(given).toEqual(['1 pause', '1 pause', '1 pause', '1 pause again']);
  });

  it('are forgotten when their comment is deleted before somebody could say', async () => {
    const { thread, given, answers, inbox, take } = await begun();
    answers.push('later');
    thread.say('1', { body: '/stop' });
    await take();
    thread.remove('1');
    await inbox.takeDelivery({ barrier: true });
    expect(given).toEqual(['1 stop']);
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
