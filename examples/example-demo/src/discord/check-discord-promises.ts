import type { CheckedPromise } from '../checked-promise.ts';
import { trip } from './plan-trip.ts';

/** What Discord and the model server hold after the conversation. */
export interface DiscordFacts {
  /** Exit codes of the bot's processes, oldest first. */
  readonly exitCodes: readonly number[];
  readonly threads: readonly { readonly name: string; readonly isFromMention: boolean }[];
  /** What stands in the thread, oldest first, without the message that it was made from. */
  readonly messages: readonly {
    readonly byBot: boolean;
    readonly text: string;
    readonly mentionsBot: boolean;
  }[];
  /** Requests to the model, oldest first. */
  readonly requests: readonly { readonly input: string; readonly namesEarlierResponse: boolean }[];
}

/** Holds what the demonstration promises against what happened. */
export function checkDiscordPromises(facts: DiscordFacts): CheckedPromise[] {
  const { exitCodes, threads, messages, requests } = facts;
  const answers = messages.filter(({ byBot }) => byBot).map(({ text }) => text);
  const last = requests.at(-1)?.input ?? '';
  return [
    {
      promise: 'the mention became one thread, named after the bot and the question',
      kept:
        threads.length === 1 &&
        threads.every(({ name, isFromMention }) => isFromMention && name === `suzume: ${trip.mention}`),
    },
    {
      promise:
        'each of the six messages has exactly one answer, including the one sent while the bot was stopped',
      kept: answers.length === 6,
    },
    {
      promise: 'no message in the thread had to mention the bot',
      kept: messages.length > 0 && messages.every(({ mentionsBot }) => !mentionsBot),
    },
    {
      promise: 'every request to the model contained the whole conversation and named no earlier response',
      kept:
        requests.length === 6 &&
        requests.every(
          ({ input, namesEarlierResponse }, index) =>
            !namesEarlierResponse &&
            input.includes(trip.mention) &&
            requests.slice(0, index).every((earlier) => input.startsWith(earlier.input)),
        ),
    },
    {
      promise: 'after the reload, the model still knew who said what',
      kept: answers[3] === 'alice and bob come along; bob does not eat meat.',
    },
    {
      promise: 'after the restart, the bot knew the first question and the message sent while it was stopped',
      kept:
        last.includes(trip.whileAway) &&
        answers[5] === `First you asked: "${trip.mention}" bob brings the tickets.`,
    },
    {
      promise: 'both bot processes exited on request',
      kept: exitCodes.length === 2 && exitCodes.every((code) => code === 143),
    },
  ];
}
