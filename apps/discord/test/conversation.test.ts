import { describe, expect, it } from 'vitest';
import { startScene } from './bot/start-scene.ts';

describe('a conversation in Discord', () => {
  it('makes a thread of a mention and answers there [TC-A1, TC-1, TC-4, TC-14, TC-28, TC-48]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => '会議、買い物、散歩です。' } });
    const { discord, lmStudio } = scene;
    const question = discord.people.say('alice', discord.generalId, '今日の予定を3行でまとめて', {
      mention: true,
    });

    expect(await scene.answers(question.id, 1)).toEqual(['会議、買い物、散歩です。']);
    expect(discord.threads()).toMatchObject([
      { id: question.id, name: 'suzume: 今日の予定を3行でまとめて', parent_id: discord.generalId },
    ]);
    expect(lmStudio.inputs()).toEqual(['user: alice: 今日の予定を3行でまとめて']);
    expect(discord.countRequests('POST /channels/:channel/messages')).toBe(1);
  });

  it('names the thread as people read the question [TC-48]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'ok' } });
    const { discord } = scene;
    const [bob, role] = [discord.people.user('bob').id, discord.addRole('cooks')];
    const text = `ask <@${bob}> and <@&${role}> in <#${discord.generalId}> <:yum:5> <#404>`;
    const { id } = discord.people.say('alice', discord.generalId, text, { mention: true });
    await scene.answers(id, 1);

    expect(discord.threads()).toMatchObject([
      { name: 'suzume: ask @bob and @cooks in #general :yum: #unknown-channel' },
    ]);
  });

  it('goes on in its thread without mentions, with all that was said [TC-A2, TC-A3, TC-5, TC-14, TC-27, TC-48]', async () => {
    await using scene = await startScene({
      lmStudio: { script: (input) => `回答${input.split('\n').length}` },
    });
    const { discord, lmStudio } = scene;
    const { id: threadId } = discord.people.say('alice', discord.generalId, '今日の予定を3行でまとめて', {
      mention: true,
    });
    await scene.answers(threadId, 1);
    discord.people.say('alice', threadId, 'それをもう少し具体的に');
    await scene.answers(threadId, 2);
    discord.people.say('alice', threadId, 'ありがとう');

    expect(await scene.answers(threadId, 3)).toEqual(['回答1', '回答3', '回答5']);
    expect(lmStudio.inputs().at(-1)).toMatchInlineSnapshot(`
      "user: alice: 今日の予定を3行でまとめて
      assistant: 回答1
      user: alice: それをもう少し具体的に
      assistant: 回答3
      user: alice: ありがとう"
    `);
  });

  it('tells several people apart, and hears whoever joins in [TC-15, TC-6, TC-36]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'ok' } });
    const { discord, lmStudio } = scene;
    const { id: threadId } = discord.people.say('alice', discord.generalId, 'lunch?', { mention: true });
    await scene.answers(threadId, 1);
    discord.people.say('bob', threadId, 'sushi please');
    await scene.answers(threadId, 2);

    expect(lmStudio.inputs().at(-1)).toBe('user: alice: lunch?\nassistant: ok\nuser: bob: sushi please');
  });

  it('does not notice that the model was reloaded or switched in between [TC-2]', async () => {
    await using scene = await startScene({ environment: { LM_MODEL: '' }, lmStudio: { script: () => 'ok' } });
    const { discord, lmStudio } = scene;
    const { id: threadId } = discord.people.say('alice', discord.generalId, 'one', { mention: true });
    await scene.answers(threadId, 1);
    lmStudio.reload(['another-model']);
    discord.people.say('alice', threadId, 'two');

    expect(await scene.answers(threadId, 2)).toEqual(['ok', 'ok']);
    const bodies = lmStudio.requests.filter(({ input }) => input !== null).map(({ body }) => body);
    expect(bodies).toEqual([
      { model: 'simulated-model', input: 'user: alice: one', store: false },
      { model: 'another-model', input: 'user: alice: one\nassistant: ok\nuser: alice: two', store: false },
    ]);
  });

  it('goes on where it was after a restart [TC-2, TC-3]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'ok' } });
    const { discord, lmStudio } = scene;
    const { id: threadId } = discord.people.say('alice', discord.generalId, 'one', { mention: true });
    await scene.answers(threadId, 1);
    await scene.stop();
    discord.people.say('alice', threadId, 'while it was away');
    await scene.start();
    discord.people.say('alice', threadId, 'two');
    await scene.answers(threadId, 2);

    expect(lmStudio.inputs().at(-1)).toBe(
      'user: alice: one\nassistant: ok\nuser: alice: while it was away\nuser: alice: two',
    );
  });

  it('keeps the newest of a thread of 1,000 messages, within its budget, and asks Discord twice [TC-A4, TC-7, TC-9, TC-18, TC-19, TC-49]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'ok' } });
    const { discord, lmStudio } = scene;
    const { id: threadId } = discord.people.say('alice', discord.generalId, 'first question', {
      mention: true,
    });
    await scene.answers(threadId, 1);
    discord.people.fill(threadId, 1_000, { text: (index) => `number ${index} ${'x'.repeat(80)}` });
    discord.clearRequests();
    discord.people.say('alice', threadId, 'and now?');
    await scene.answers(threadId, 2);

    const input = lmStudio.inputs().at(-1) ?? '';
    const lines = input.split('\n');
    expect(input.length).toBeLessThanOrEqual(20_000);
    expect(input.length).toBeGreaterThan(19_800);
    expect(lines.length).toBeLessThanOrEqual(200);
    expect(lines.at(-1)).toBe('user: alice: and now?');
    expect(lines.every((line) => /^user: alice: (number \d+ x{80}|and now\?)$/.test(line))).toBe(true);
    expect(lines.at(-2)).toMatch(/^user: alice: number 999 /);
    expect(discord.countRequests('GET /channels/:channel/messages')).toBe(2);
  });

  it('answers in threads of others only when it is called, there and with what was said there [TC-T13, D11]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'I think so too.' } });
    const { discord, lmStudio } = scene;
    const threadId = discord.people.startThread('alice', discord.generalId, { title: 'plans' });
    discord.people.say('alice', threadId, 'picnic on Sunday?');
    discord.people.say('bob', threadId, 'good idea, or?', { mention: true });

    expect(await scene.answers(threadId, 1)).toEqual(['I think so too.']);
    expect(lmStudio.inputs()).toEqual(['user: alice: picnic on Sunday?\nuser: bob: good idea, or?']);
    expect(discord.threads()).toHaveLength(1);
  });

  it('answers direct messages with replies, and remembers them [TC-A5, D6]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'hi' } });
    const { discord, lmStudio } = scene;
    const directId = discord.people.openDirect('alice');
    const first = discord.people.say('alice', directId, 'hello', { mention: true });
    await scene.answers(directId, 1);
    discord.people.say('alice', directId, 'still there?');
    await scene.answers(directId, 2);

    expect(discord.threads()).toEqual([]);
    expect(lmStudio.inputs().at(-1)).toBe('user: alice: hello\nassistant: hi\nuser: alice: still there?');
    expect(discord.lastMessages(directId)[1]?.message_reference?.message_id).toBe(first.id);
  });

  it('answers with a reply where channels have no threads [TC-A5, D6]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'hi' } });
    const { discord, lmStudio } = scene;
    const voiceId = discord.addChannel('voice', 'voice');
    discord.people.say('bob', voiceId, 'not for the bot');
    const question = discord.people.say('alice', voiceId, 'hello', { mention: true });
    await scene.answers(voiceId, 1);

    expect(lmStudio.inputs()).toEqual(['user: alice: hello']);
    expect(discord.lastMessages(voiceId, 1)[0]?.message_reference?.message_id).toBe(question.id);
    expect(discord.threads()).toEqual([]);
  });

  it('posts no reasoning that the model writes into its answer, and sends none back to it', async () => {
    const said = '<think>\nalice is rude\n</think>\n\nHello!';
    await using scene = await startScene({ lmStudio: { script: () => said } });
    const { discord, lmStudio } = scene;
    const { id } = discord.people.say('alice', discord.generalId, 'hi', { mention: true });
    expect(await scene.answers(id, 1)).toEqual(['Hello!']);
    discord.people.say('alice', id, 'and now?');
    expect(await scene.answers(id, 2)).toEqual(['Hello!', 'Hello!']);
    expect(lmStudio.inputs().at(-1)).toBe('user: alice: hi\nassistant: Hello!\nuser: alice: and now?');
  });

  it('shows that it was received and that it types until the answer stands [TC-54]', async () => {
    await using scene = await startScene({ lmStudio: { script: () => 'ok' } });
    const { discord, lmStudio, clock } = scene;
    const held = lmStudio.holdNext();
    const { id } = discord.people.say('alice', discord.generalId, 'one', { mention: true });
    await held.arrived;
    await discord.until(() => discord.countRequests('POST /channels/:channel/typing') === 1);
    clock.advance(8_500);
    await discord.until(() => discord.countRequests('POST /channels/:channel/typing') === 2);
    held.release();
    await scene.answers(id, 1);

    await discord.until(
      () => discord.lastMessages(discord.generalId)[0]?.reactions?.[0]?.emoji.name === '👀',
    );
    await scene.stop();
    expect(clock.waiting()).toEqual([]);
    const order = discord.requests
      .map(({ route }) => route)
      .filter((route) => route?.match(/threads|typing|GET .*messages$/));
    expect(order.slice(0, 3)).toEqual([
      'POST /channels/:channel/messages/:message/threads',
      'POST /channels/:channel/typing',
      'GET /channels/:channel/messages',
    ]);
  });
});
