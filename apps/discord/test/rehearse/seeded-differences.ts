import type { ServerCheck } from '@agent/rehearsal';
import type { ProxyAnswer, ProxyHandler } from '@agent/simulators/trials';
import type { RehearsalFixture } from './rehearsal-fixture.ts';

/** A difference between a server and what the bot needs, and the check that has to find it. */
export interface SeededDifference {
  readonly name: string;
  readonly failed: ServerCheck;
  /** Part of the sentence that the user reads. */
  readonly text: string;
  /** Settings that differ. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly handle?: ProxyHandler;
  /** Changes Discord or the model server before the rehearsal begins. */
  readonly seed?: (fixture: RehearsalFixture) => void;
  /** Changes Discord after the checks that write nothing. */
  readonly onConfirm?: (fixture: RehearsalFixture) => void;
  /** Shorter waits for something that never happens. */
  readonly platformMs?: number;
  readonly modelMs?: number;
}

const refuse = (message: string): ProxyAnswer => ({
  status: 403,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify({ message, code: 50_013 })),
});

interface ListedMessage {
  readonly timestamp: string;
  readonly content: string;
  readonly author: { readonly bot?: boolean };
}

/** Hides messages of users from the list of messages. */
function hideMessages(isHidden: (message: ListedMessage) => boolean): ProxyHandler {
  return async ({ method, path, forward }) => {
    const answer = await forward();
    if (method !== 'GET' || !/\/channels\/\d+\/messages\?/.test(path)) return answer;
    const all = JSON.parse(answer.body.toString()) as ListedMessage[];
    const listed = all.filter((message) => message.author.bot === true || !isHidden(message));
    return { ...answer, body: Buffer.from(JSON.stringify(listed)) };
  };
}

/** Hides messages of users from the list of messages until they are this old. */
function hideNewMessages(ageMs: number): ProxyHandler {
  return hideMessages(({ timestamp }) => Date.now() - Date.parse(timestamp) <= ageMs);
}

/** Loses all events from a step of the user until the next one. */
function loseEvents({ discord, person }: RehearsalFixture, of: 'mention' | 'edit' | 'remove'): void {
  person.onStep = (step) => {
    discord.setLosingEvents(step === of);
    return true;
  };
}

/** Differences that a rehearsal has to find, each by one check. */
export const seededDifferences: readonly SeededDifference[] = [
  {
    name: 'a token that Discord refuses',
    failed: 'token',
    text: 'Discord refused the token: 401 Unauthorized',
    environment: { DISCORD_TOKEN: 'wrong.token' },
  },
  {
    name: 'a missing intent',
    failed: 'intents',
    text: '"Message Content Intent" is off',
    seed: ({ discord }) => discord.setPrivileged({ messageContent: false }),
  },
  {
    name: 'a gateway that refuses the token',
    failed: 'gateway',
    text: 'Discord rejected DISCORD_TOKEN',
    seed: ({ discord }) => discord.failNext('GET /gateway/bot', 401, { times: 3 }),
  },
  {
    name: 'a channel that the bot does not see',
    failed: 'channel',
    text: 'the bot sees no channel',
    seed: ({ discord }) => discord.revoke('ViewChannel', discord.generalId),
  },
  {
    name: 'a channel that is on no list',
    failed: 'channel',
    text: 'is not on the lists',
    environment: { ALLOWED_CHANNELS: '123456789012345678' },
  },
  {
    name: 'a missing permission',
    failed: 'permissions',
    text: 'the bot lacks CreatePublicThreads',
    seed: ({ discord }) => discord.revoke('CreatePublicThreads', discord.generalId),
  },
  {
    name: 'a model with an unknown name',
    failed: 'model-name',
    text: 'the server does not list other-model. It lists simulated-model',
    environment: { LM_MODEL: 'other-model' },
  },
  {
    name: 'no loaded model',
    failed: 'model-name',
    text: 'the server lists no model',
    seed: ({ lmStudio }) => lmStudio.reload([]),
  },
  {
    name: 'a model without an answer',
    failed: 'model',
    text: 'the model did not answer',
    environment: { LM_TIMEOUT_SECONDS: '2' },
    seed: ({ lmStudio }) => lmStudio.misbehave({ kind: 'hang', at: 'headers' }, { times: 9 }),
  },
  {
    name: 'a clock that is wrong',
    failed: 'clock',
    text: 'the clocks of this machine and Discord differ by 36',
    handle: async ({ path, forward }) => {
      const answer = await forward();
      const date = new Date(Date.now() - 3_600_000).toUTCString();
      return path.endsWith('/users/@me') ? { ...answer, headers: { ...answer.headers, date } } : answer;
    },
  },
  {
    name: 'a token that is revoked',
    failed: 'start',
    text: 'the bot exited: ',
    onConfirm: ({ discord }) => discord.refuseToken(),
  },
  {
    name: 'a lost event',
    failed: 'mention',
    text: 'the bot did not receive the message',
    seed: (fixture) => loseEvents(fixture, 'mention'),
    platformMs: 4_000,
  },
  {
    name: 'a message without a mention',
    failed: 'mention',
    text: 'the message does not mention suzume',
    seed: ({ person }) => {
      person.rewrite = (text) => text.replace(/^<@\d+> /, '');
    },
    platformMs: 4_000,
  },
  {
    name: 'another process with the same token that answers first',
    failed: 'mention',
    text: 'another process with this token answered',
    onConfirm: ({ discord, lmStudio }) => {
      const { length } = lmStudio.inputs();
      lmStudio.misbehave({ kind: 'hang', at: 'headers' }, { times: 9 });
      void lmStudio
        .until(() => lmStudio.inputs().length > length)
        .then(() => {
          const question = discord.lastMessages(discord.generalId).at(-1);
          discord.people.say(discord.bot.username, discord.generalId, 'An answer.', {
            replyTo: question?.id ?? '',
          });
        });
    },
  },
  {
    name: 'a user who is on no list',
    failed: 'mention',
    text: 'your account is not on ALLOWED_PEOPLE',
    environment: { ALLOWED_PEOPLE: '123456789012345678' },
  },
  {
    name: 'a list that lags',
    failed: 'fresh-list',
    text: 'a new message that the bot received is not listed',
    handle: hideNewMessages(2_800),
  },
  {
    name: 'a message that is never listed',
    failed: 'fresh-list',
    text: 'a new message that the bot received is not listed',
    handle: hideNewMessages(3_600_000),
    platformMs: 4_000,
  },
  {
    name: 'a second message that is never listed',
    failed: 'conversation',
    text: 'a new message that the bot received is not listed',
    handle: hideMessages(({ content }) => /Rehearsal \w+-2:/.test(content)),
    platformMs: 4_000,
  },
  {
    name: 'reactions that are refused',
    failed: 'reaction',
    text: 'the bot did not react',
    handle: async ({ path, forward }) =>
      path.includes('/reactions/') ? refuse('Missing Permissions') : forward(),
    platformMs: 5_000,
  },
  {
    name: 'threads that are refused',
    failed: 'thread',
    text: 'the answer is a reply in the channel',
    handle: async ({ method, path, forward }) =>
      method === 'POST' && path.endsWith('/threads') ? refuse('Missing Permissions') : forward(),
  },
  {
    name: 'a conversation that is cut to one message',
    failed: 'conversation',
    text: 'the model did not receive the earlier messages',
    environment: { MAX_THREAD_MESSAGES: '1' },
  },
  {
    name: 'an edit without an event',
    failed: 'edit',
    text: 'the bot did not receive the edit',
    seed: (fixture) => loseEvents(fixture, 'edit'),
    platformMs: 4_000,
  },
  {
    name: 'a deletion without an event',
    failed: 'deletion',
    text: 'the bot did not receive the deletion',
    seed: (fixture) => loseEvents(fixture, 'remove'),
    platformMs: 4_000,
  },
  {
    name: 'a bot that does not look for missed messages',
    failed: 'crash',
    text: 'after the restart, a message had no answer',
    environment: { CATCH_UP_MINUTES: '0' },
    modelMs: 6_000,
  },
  {
    name: 'a rate limit',
    failed: 'rate-limit',
    text: 'Discord refused 1 request of the bot with 429, with waits of up to 0.3 s',
    seed: ({ discord }) => discord.limitNext('POST /channels/:channel/messages', { retryAfterMs: 300 }),
  },
  {
    name: 'a message that is answered twice',
    failed: 'report',
    text: '1 message has more than one answer',
    seed: ({ discord, person }) => {
      person.onStep = (step, number) => {
        const thread = discord.threads()[0]?.id ?? '';
        if (number === 5) {
          const question = discord.lastMessages(thread).findLast(({ author }) => author.username === 'alice');
          discord.people.say(discord.bot.username, thread, 'once more', { replyTo: question?.id ?? '' });
        }
        return step !== 'mention' || thread === '';
      };
    },
  },
  {
    name: 'a clean-up that Discord does not answer',
    failed: 'clean-up',
    text: '2 items stay',
    handle: async ({ method, path, forward }) =>
      method === 'DELETE' || (method === 'PATCH' && /\/channels\/\d+$/.test(path))
        ? { ...refuse('Service unavailable'), status: 503 }
        : forward(),
  },
];
