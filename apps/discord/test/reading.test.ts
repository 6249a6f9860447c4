import type { APIMessage } from 'discord-api-types/v10';
import { describe, expect, it } from 'vitest';
import { type Scene, startScene } from './bot/start-scene.ts';

interface Asking {
  readonly scene: Scene;
  readonly thread: string;
  readonly last: () => string;
  /** Says something in the bot's thread, and gives what the model read as the last turn. */
  readonly ask: (text: string, options?: Parameters<Scene['discord']['people']['say']>[3]) => Promise<string>;
  readonly answered: (message: APIMessage) => Promise<string>;
}

async function startAsking(
  environment: Readonly<Record<string, string>> = {},
  script: (input: string) => string = () => 'ok',
): Promise<Asking> {
  const scene = await startScene({ environment, lmStudio: { script } });
  const { discord, lmStudio } = scene;
  const { id: thread } = discord.people.say('alice', discord.generalId, 'hello', { mention: true });
  await scene.answers(thread, 1);
  let count = 1;
  const last = (): string => lmStudio.inputs().at(-1) ?? '';
  const lastTurn = (): string => last().slice(last().lastIndexOf('\nuser: ') + 1);
  const answered: Asking['answered'] = async () => {
    count += 1;
    await scene.answers(thread, count);
    return lastTurn();
  };
  return {
    scene,
    thread,
    last,
    answered,
    ask: async (text, options) => answered(discord.people.say('alice', thread, text, options)),
  };
}

describe.each(['off', 'gateway'])('what the model reads (history cache %s)', (HISTORY_CACHE) => {
  it('are names instead of ids, emoji and times', async () => {
    const { scene, ask } = await startAsking({ HISTORY_CACHE });
    await using _ = scene;
    const { discord } = scene;
    const bob = discord.people.user('bob').id;
    const carol = discord.people.user('carol').id;
    const helpers = discord.addRole('helpers');
    const text = `<@${bob}> and <@!${carol}> of <@&${helpers}> in <#${discord.generalId}> <:wave:1> <a:party:2> <t:1767605400> <t:1767605400:R> </help:3>`;
    expect(await ask(text)).toBe(
      'user: alice: @bob and @carol of @helpers in #general :wave: :party: 2026-01-05 09:30 UTC 2026-01-05 09:30 UTC /help',
    );
  });

  it('keeps markup in code, and names what nothing is known of', async () => {
    const { scene, ask } = await startAsking({ HISTORY_CACHE });
    await using _ = scene;
    expect(await ask('`<@1>` <@1> <@&2> <#3> <t:99999999999999>')).toBe(
      'user: alice: `<@1>` @unknown-user @unknown-role #unknown-channel <t:99999999999999>',
    );
  });

  it('is the text of attached files, by their byte-order mark', async () => {
    const { scene, ask } = await startAsking({ HISTORY_CACHE });
    await using _ = scene;
    const utf16 = new Uint8Array([0xff, 0xfe, ...Buffer.from('const äöü = 1;', 'utf16le')]);
    const read = await ask('what is this?', {
      files: [
        { name: 'message.txt', content: '\ufeffline one\nline  two' },
        { name: 'code.ts', content: utf16, type: 'video/mp2t' },
        { name: 'photo.png', content: new Uint8Array([0x89, 0x50, 0, 1]), type: 'image/png' },
        { name: 'big.log', content: 'x'.repeat(65_537) },
      ],
    });
    expect(read).toContain('message.txt');
    expect(read).toContain('line one');
    expect(read).toContain('line  two');
    expect(read).toContain('const äöü = 1;');
    expect(read).toContain('[File photo.png: not read: no text, or not in UTF-8]');
    expect(read).toContain('[File big.log: not read: larger than 64 KB]');
    expect(read).toMatch(/what is this\?$/);
    // The next answer reads it as part of the conversation, without another download.
    expect(await ask('and now?')).toBe('user: alice: and now?');
    expect(scene.lmStudio.inputs().at(-1)).toContain('line one');
  });

  it('is a file without a word', async () => {
    const { scene, ask } = await startAsking({ HISTORY_CACHE });
    await using _ = scene;
    expect(await ask('', { files: [{ name: 'message.txt', content: 'all of it' }] })).toContain('all of it');
  });

  it('is a forwarded message, and the message that is replied to', async () => {
    const { scene, thread, ask, answered } = await startAsking({ HISTORY_CACHE });
    await using _ = scene;
    const { people, generalId } = scene.discord;
    const bob = people.user('bob').id;
    const said = people.say('dora', generalId, `<@${bob}> promised cake`, {
      files: [{ name: 'cake.txt', content: 'flour' }],
    });
    const forwarded = await answered(people.forward('alice', thread, said));
    expect(forwarded).toContain('Forwarded message:');
    expect(forwarded).toContain('> @bob promised cake');
    expect(forwarded).toContain('flour');
    const earlier = people.postAsWebhook('ci', thread, 'build 7 failed');
    const replied = await ask('why?', { replyTo: earlier.id });
    expect(replied).toContain('In reply to ci:');
    expect(replied).toContain('> build 7 failed');
    expect(replied).toMatch(/why\?$/);
  });
});

describe('a call in a channel', () => {
  it('brings what it replies to', async () => {
    const { scene } = await startAsking();
    await using _ = scene;
    const { people, generalId } = scene.discord;
    const said = people.say('dora', generalId, 'the build is red');
    const { id } = people.say('alice', generalId, 'explain that', { mention: true, replyTo: said.id });
    await scene.answers(id, 1);
    expect(scene.lmStudio.inputs().at(-1)).toBe(
      'user: alice: In reply to dora:\n  > the build is red\n\n  explain that',
    );
  });
});

describe('what the bot cannot read', () => {
  it.each([
    ['en', "I can't read this."],
    ['ja', 'この内容は読めません。'],
  ])('gets a short reply (%s) and reaches no model', async (LOCALE, reply) => {
    const { scene, thread } = await startAsking({ LOCALE });
    await using _ = scene;
    const { discord, lmStudio } = scene;
    const asked = lmStudio.inputs().length;
    const photo = { name: 'photo.png', content: new Uint8Array([0x89, 0]), type: 'image/png' };
    discord.people.say('alice', thread, '', { files: [photo] });
    expect((await scene.answers(thread, 2)).at(-1)).toContain(reply);
    discord.people.say('alice', discord.generalId, '', { mention: true, files: [photo] });
    const { id } = discord.lastMessages(discord.generalId).at(-1) as APIMessage;
    expect((await scene.answers(id, 1)).at(-1)).toContain(reply);
    expect(lmStudio.inputs()).toHaveLength(asked);
  });
});

describe('names in answers', () => {
  it('become mentions of the accounts, channels and emoji of the thread, and call nobody', async () => {
    const script = (): string => 'Ask @bob, @bobby or @mallory in #general :wave: `@bob` x@bob.org @everyone';
    const { scene, thread } = await startAsking({}, script);
    await using _ = scene;
    const { discord } = scene;
    const bob = discord.people.user('bob').id;
    discord.people.user('mallory');
    discord.people.say('alice', thread, `<@${bob}> in <#${discord.generalId}> <:wave:12>`);
    const [, said] = await scene.answers(thread, 2);
    expect(said).toBe(
      `Ask <@${bob}>, @bobby or @mallory in <#${discord.generalId}> <:wave:12> \`@bob\` x@bob.org @everyone`,
    );
    const posted = discord.lastMessages(thread).at(-1);
    expect([posted?.mentions, posted?.mention_everyone]).toEqual([[], false]);
    discord.people.say('alice', thread, 'thanks');
    await scene.answers(thread, 3);
    expect(scene.lmStudio.inputs().at(-1)).toContain(
      'assistant: Ask @bob, @bobby or @mallory in #general :wave:',
    );
  });
});
