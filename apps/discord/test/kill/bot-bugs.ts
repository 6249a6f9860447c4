import type { FailingTest, SeededBug } from '@agent/simulators/trials';
import type { HarmName } from './harms.ts';
import type { BotTrial } from './play-trial.ts';

/** Trials with this harm; a bug that none of them shows is not found. */
const harmedBy = (harm: HarmName) => () => Array.from({ length: 9 }, (_, seed): BotTrial => ({ seed, harm }));

/** Faults in the sources of the bot, each a finding of a review. */
export const botBugs: readonly (SeededBug<BotTrial> & { readonly test: FailingTest })[] = [
  {
    name: 'bot-starts-without-a-look',
    does: 'does not look, when it starts, for what it took and did not answer',
    changes: [
      { find: '\n  catchUp.onSession();', replace: '' },
      { find: 'client.on(Events.ShardReady, catchUp.onSession);', replace: '' },
      { find: 'catchUp.onPlace(channel);', replace: '' },
    ],
    trials: harmedBy('kill'),
    finds: [/^Q\d+ silent$/u],
    test: {
      path: 'apps/discord/test/catch-up.test.ts',
      name: 'is answered by the next start: in hand, waiting, and in the thread that was just made',
    },
  },
  {
    name: 'bot-does-not-try-again',
    does: 'throws an answer away when Discord closes one connection',
    changes: [
      {
        find: 'if (!isTransient(error) || clock.now() + pauseMs > endsAt) throw error;',
        replace: 'if (endsAt > 0) throw error;',
      },
    ],
    trials: harmedBy('net'),
    finds: [/^Q\d+ silent$/u],
    test: {
      path: 'apps/discord/src/answer/outgoing-answer.test.ts',
      name: 'is posted after growing pauses, under the same number',
    },
  },
  {
    name: 'bot-forgets-its-token',
    does: 'lets the library forget its token after one 401',
    changes: [{ find: 'guard.watch();', replace: '' }],
    trials: harmedBy('net'),
    finds: [/^Q\d+ silent$/u],
    test: {
      path: 'apps/discord/test/refused-token.test.ts',
      name: 'asks whether the token is still good, and sends',
    },
  },
  {
    name: 'bot-marks-nothing',
    does: 'leaves the mark of the unfinished off what is not the last of an answer',
    changes: [
      {
        find: 'markUnfinished(content: string, { key }: { readonly key: number }): string {',
        replace:
          'markUnfinished(content: string, { key }: { readonly key: number }): string { if (key >= 0) return content;',
      },
    ],
    trials: harmedBy('kill'),
    finds: [/^Q\d+ half$/u],
    test: {
      path: 'apps/discord/src/answer/outgoing-answer.test.ts',
      name: 'carries a mark whenever it breaks off after',
    },
  },
  {
    name: 'bot-misses-a-new-session',
    does: 'does not look for what was said before a new session began',
    changes: [{ find: 'client.on(Events.ShardReady, catchUp.onSession);', replace: '' }],
    trials: harmedBy('gateway'),
    finds: [/^Q\d+ silent$/u],
    test: {
      path: 'apps/discord/test/catch-up.test.ts',
      name: 'is answered after a session that Discord ended, as after a start',
    },
  },
  {
    name: 'bot-names-by-chance',
    does: 'gives its messages names of chance, and does not hear that another process answers',
    changes: [
      {
        find: 'nonce, enforceNonce: true }, first',
        replace: 'nonce: String(Math.random()).slice(2, 20), enforceNonce: true }, first',
      },
      {
        find: "this.#withdraw(\n      repliesTo ?? channelId,\n      new BotError('answered', 'another process is answering this message'),\n    );",
        replace: '',
      },
    ],
    trials: harmedBy('rival'),
    finds: [/^Q\d+ twice$/u],
    test: {
      path: 'apps/discord/test/one-answer.test.ts',
      name: 'answer each message once, whoever is faster',
    },
  },
  {
    name: 'bot-names-nothing',
    does: 'posts once more what Discord posted without saying so',
    changes: [{ find: '{ content, nonce, enforceNonce: true }', replace: '{ content } as never' }],
    trials: harmedBy('net'),
    finds: [/^Q\d+ twice$/u],
    test: {
      path: 'apps/discord/test/one-answer.test.ts',
      name: 'stands once, however often it is posted',
    },
  },
  {
    name: 'bot-leaves-its-thread',
    does: 'answers in the channel when the answer to its request for a thread is lost',
    changes: [
      {
        find: 'if (error.discordCode === threadExists) return places.findThread();',
        replace: '',
      },
    ],
    trials: harmedBy('net'),
    finds: [/^Q\d+ beside$/u],
    test: {
      path: 'apps/discord/test/one-answer.test.ts',
      name: 'is used',
    },
  },
  {
    name: 'bot-hears-no-edits',
    does: 'does not hear a mention that an edit adds',
    changes: [
      {
        find: 'client.on(Events.MessageUpdate, (_, message) => hearEdit(message));',
        replace: 'void hearEdit;',
      },
    ],
    trials: harmedBy('net'),
    finds: [/^Q\d+ silent$/u],
    test: {
      path: 'apps/discord/test/one-answer.test.ts',
      name: 'so that it calls the bot is answered',
    },
  },
  {
    name: 'bot-minds-no-lease',
    does: 'goes on, when it was frozen, with an answer that another process has taken over',
    changes: [
      { find: 'clock.now() - changedAt > leaseMs', replace: 'clock.now() < 0' },
      { find: 'return bot.onOwnEdit(message);', replace: 'return;' },
    ],
    trials: harmedBy('freeze'),
    finds: [/^Q\d+ mixed$/u],
    test: {
      path: 'apps/discord/src/answer/outgoing-answer.test.ts',
      name: 'is looked at before a process goes on with it that was frozen',
    },
  },
];
