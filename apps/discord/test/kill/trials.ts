import { readChoice, readCount, type TrialKind } from '@agent/simulators/trials';
import { botBugs } from './bot-bugs.ts';
import { harmNames } from './harms.ts';
import { type BotTrial, playTrial } from './play-trial.ts';

/** Harm to the Discord bot while people talk. */
export const trials: TrialKind<BotTrial> = {
  help: `[--only HARM | --messages COUNT]

Harms the Discord bot while people ask, correct and delete messages. In the end each message has one whole answer, or a reply that it has none.
--only: the trials with this harm: ${harmNames.join(', ')}. --messages: a talk of that many messages, with all harms, one after the other.`,
  options: ['only', 'messages'],
  defaults: { units: 12, parallel: 3 },
  bugTrialsAtOnce: 3,
  open: async ({ only: name, messages: count }) => {
    const only = readChoice(name, '--only', harmNames);
    const messages = count === undefined ? undefined : readCount(count, '--messages');
    return {
      draw: (seed) => {
        const harm = messages === undefined ? harmNames[seed % harmNames.length] : 'mixed';
        return { seed, harm: only ?? harm ?? 'mixed', messages };
      },
      play: playTrial,
      close: async () => {},
    };
  },
  bugs: botBugs,
};
