import { markUnfinished } from '@agent/thread-context/chat';
import { describe, expect, it } from 'vitest';
import { textsEn } from '../src/texts/texts.en.ts';
import { startScene } from './bot/start-scene.ts';

const visible = (text: string | undefined): string => (text ?? '').replace(/[\u200b-\u200d\u2060]/g, '');
const lastLine = (input: string): string => `re ${input.split('\n').at(-1)}`;
const startRoute = 'POST /channels/:channel/messages/:message/threads';

describe('two processes with one token', () => {
  it('answer each message once, whoever is faster [NX-106]', async () => {
    let asked = 0;
    await using scene = await startScene({
      lmStudio: {
        script: (input) => {
          asked += 1;
          return `answer ${asked} to ${lastLine(input)}`;
        },
      },
    });
    const { discord } = scene;
    const first = await scene.startSecond();
    for (const text of ['one', 'two', 'three']) {
      const { id } = discord.people.say('alice', discord.generalId, text, { mention: true });
      await scene.answers(id, 1);
    }
    await first.stop();
    await scene.stop();

    for (const { id } of discord.threads()) expect(await scene.answers(id, 1)).toHaveLength(1);
    expect(discord.threads()).toHaveLength(3);
  });
});

describe('an answer that another process began', () => {
  it('is left to it, and taken when it has not come to its end in time [NX-106, NX-104]', async () => {
    await using scene = await startScene({ lmStudio: { script: lastLine } });
    const { discord, lmStudio, clock } = scene;
    const { id } = discord.people.say('alice', discord.generalId, 'one', { mention: true });
    await scene.answers(id, 1);
    const held = lmStudio.holdNext();
    const question = discord.people.say('alice', id, 'two');
    await held.arrived;
    discord.people.say('suzume', id, markUnfinished('half of it', { key: 4_464 }), {
      replyTo: question.id,
    });
    await clock.untilWaiting(35_000);
    expect(scene.log.map(({ message }) => message)).toContain('skipped message: answered by another process');
    held.release();
    clock.advance(35_000);

    expect(await scene.answers(id, 2)).toEqual(['re user: alice: one', 're user: alice: two']);
  });
});

describe('a thread that Discord made without saying so', () => {
  it('is used [NX-105]', async () => {
    await using scene = await startScene({ lmStudio: { script: lastLine } });
    const { discord, clock } = scene;
    discord.failNext(startRoute, 500, { isDone: true });
    const { id } = discord.people.say('alice', discord.generalId, 'hello', { mention: true });
    await clock.untilWaiting(1_000);
    clock.advance(1_000);

    expect(await scene.answers(id, 1)).toEqual(['re user: alice: hello']);
    expect(await scene.answers(discord.generalId, 0)).toEqual([]);
    expect(discord.threads()).toHaveLength(1);
  });
});

describe('an answer that Discord posted without saying so', () => {
  it('stands once, however often it is posted [NX-105]', async () => {
    await using scene = await startScene({ lmStudio: { script: lastLine } });
    const { discord, clock } = scene;
    discord.failNext('POST /channels/:channel/messages', 502, { isDone: true, times: 2 });
    const { id } = discord.people.say('alice', discord.generalId, 'hello', { mention: true });
    for (const seconds of [1, 2]) {
      await clock.untilWaiting(seconds * 1_000);
      clock.advance(seconds * 1_000);
    }
    await expect.poll(() => scene.log.some(({ message }) => message === 'answered message')).toBe(true);

    expect(await scene.answers(id, 1)).toEqual(['re user: alice: hello']);
    expect(discord.countRequests('POST /channels/:channel/messages')).toBe(3);
  });

  it('is found when Discord may have forgotten its nonce [NX-103, NX-105]', async () => {
    await using scene = await startScene({ lmStudio: { script: lastLine } });
    const { discord, clock } = scene;
    discord.failNext('POST /channels/:channel/messages', 502, { isDone: true });
    discord.failNext('POST /channels/:channel/messages', 503, { times: 6 });
    const { id } = discord.people.say('alice', discord.generalId, 'hello', { mention: true });
    for (const seconds of [1, 2, 4, 8, 16, 32, 60]) {
      await clock.untilWaiting(seconds * 1_000);
      clock.advance(seconds * 1_000);
    }
    await expect.poll(() => scene.log.some(({ message }) => message === 'answered message')).toBe(true);

    expect(await scene.answers(id, 1)).toEqual(['re user: alice: hello']);
    expect(discord.countRequests('POST /channels/:channel/messages')).toBe(7);
  });
});

describe('an answer that Discord makes wait', () => {
  it('holds no slot meanwhile [NX-103]', async () => {
    await using scene = await startScene({
      environment: { MAX_CONCURRENT_ANSWERS: '1' },
      lmStudio: { script: lastLine },
    });
    const { discord } = scene;
    const held = discord.holdNext('POST /channels/:channel/messages');
    const { id: waiting } = discord.people.say('alice', discord.generalId, 'one', { mention: true });
    await held.arrived;
    const { id } = discord.people.say('bob', discord.generalId, 'two', { mention: true });

    expect(await scene.answers(id, 1)).toEqual(['re user: bob: two']);
    held.release();
    expect(await scene.answers(waiting, 1)).toEqual(['re user: alice: one']);
  });
});

describe('a message that is edited', () => {
  it('while the model works is answered as it reads then, once [NX-107]', async () => {
    await using scene = await startScene({ lmStudio: { script: lastLine } });
    const { discord, lmStudio } = scene;
    const held = lmStudio.holdNext();
    const question = discord.people.say('alice', discord.generalId, 'delete all?', { mention: true });
    await held.arrived;
    discord.people.edit(question, `<@${discord.bot.id}> do NOT delete`);
    expect(await scene.answers(question.id, 1)).toEqual(['re user: alice: do NOT delete']);
    held.release();
    await scene.stop();
    expect(await scene.answers(question.id, 1)).toHaveLength(1);
  });

  it('while its answer grows is answered anew in the same messages [NX-107]', async () => {
    const isLet = Promise.withResolvers<void>();
    await using scene = await startScene({
      environment: { STREAM: 'true' },
      lmStudio: {
        script: (input) => (input.includes('NOT') ? 'well then' : 'all gone now'),
        pace: (number) => (number === 0 ? Promise.resolve() : isLet.promise),
      },
    });
    const { discord, clock } = scene;
    const question = discord.people.say('alice', discord.generalId, 'delete all?', { mention: true });
    const shown = (): string => {
      const [thread] = discord.threads();
      return thread === undefined ? '' : visible(discord.lastMessages(thread.id, 1)[0]?.content);
    };
    await discord.until(() => shown() === 'all\n⏳');
    discord.people.edit(question, `<@${discord.bot.id}> do NOT delete`);
    isLet.resolve();
    while (shown() !== 'well then') {
      clock.advance(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }

    expect(discord.countRequests('POST /channels/:channel/messages')).toBe(1);
  });

  it('to be answered in fewer messages leaves none over, whatever Discord says of their deletion [NX-105, NX-107]', async () => {
    const isLet = Promise.withResolvers<void>();
    const long = Array.from({ length: 80 }, (_, line) => `line ${line} ${'x'.repeat(60)}`).join('\n');
    await using scene = await startScene({
      environment: { STREAM: 'true' },
      lmStudio: {
        script: (input) => (input.includes('NOT') ? 'short' : long),
        pace: (number) => (number < 200 ? Promise.resolve() : isLet.promise),
      },
    });
    const { discord, clock } = scene;
    const question = discord.people.say('alice', discord.generalId, 'tell all', { mention: true });
    const own = () =>
      discord
        .threads()
        .flatMap(({ id }) => discord.lastMessages(id).filter(({ type }) => type === 0 || type === 19));
    while (own().length < 3) {
      clock.advance(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    discord.failNext('DELETE /channels/:channel/messages/:message', 502, { isDone: true, times: 2 });
    discord.people.edit(question, `<@${discord.bot.id}> do NOT`);
    isLet.resolve();
    while (
      own()
        .map(({ content }) => content)
        .join() !== 'short'
    ) {
      clock.advance(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await scene.stop();
    expect(scene.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('so that it calls the bot is answered in the thread that somebody made of it [NX-107]', async () => {
    await using scene = await startScene({ lmStudio: { script: lastLine } });
    const { discord } = scene;
    const question = discord.people.say('alice', discord.generalId, 'hello');
    discord.people.startThread('bob', discord.generalId, { title: 'Greetings', messageId: question.id });
    discord.people.edit(question, `<@${discord.bot.id}> hello`);

    expect(await scene.answers(question.id, 1)).toEqual(['re user: alice: hello']);
  });

  it('so that it calls the bot is answered; a correction of what was answered is not, after a restart either [NX-107]', async () => {
    await using scene = await startScene({ lmStudio: { script: lastLine } });
    const { discord } = scene;
    const question = discord.people.say('alice', discord.generalId, 'hello');
    discord.people.edit(question, `<@${discord.bot.id}> hello`);
    expect(await scene.answers(question.id, 1)).toEqual(['re user: alice: hello']);
    await scene.stop();
    await scene.start();
    discord.people.edit(question, `<@${discord.bot.id}> hello!`);
    const next = discord.people.say('alice', question.id, 'next');
    expect(await scene.answers(next.channel_id, 2)).toEqual([
      're user: alice: hello',
      're user: alice: next',
    ]);
    await scene.stop();
    expect(await scene.answers(question.id, 0)).toHaveLength(2);
  });
});

describe('a message that is deleted', () => {
  it('while the model works is not answered [NX-107]', async () => {
    await using scene = await startScene({ lmStudio: { script: lastLine } });
    const { discord, lmStudio } = scene;
    const { id } = discord.people.say('alice', discord.generalId, 'one', { mention: true });
    await scene.answers(id, 1);
    const held = lmStudio.holdNext();
    const slip = discord.people.say('alice', id, 'a slip');
    await held.arrived;
    discord.people.delete(slip);
    discord.people.say('alice', id, 'two');
    expect(await scene.answers(id, 2)).toEqual(['re user: alice: one', 're user: alice: two']);
    held.release();
  });
});

describe('a part of an answer that a moderator deletes', () => {
  it('ends the answer with a word [NX-104]', async () => {
    const isLet = Promise.withResolvers<void>();
    await using scene = await startScene({
      environment: { STREAM: 'true', LOCALE: 'en' },
      lmStudio: {
        script: () => 'one two',
        pace: (number) => (number === 0 ? Promise.resolve() : isLet.promise),
      },
    });
    const { discord, clock } = scene;
    const { id } = discord.people.say('alice', discord.generalId, 'count', { mention: true });
    const part = await discord.until(() => discord.threads().length === 1 && discord.lastMessages(id)[1]);
    discord.people.delete(part);
    isLet.resolve();
    await clock.untilWaiting(1_000);
    clock.advance(1_000);

    expect((await scene.answers(id, 1)).map(visible)).toEqual([textsEn.partDeleted]);
  });
});
