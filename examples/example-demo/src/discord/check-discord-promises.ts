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
      promise: 'each of the six messages has exactly one answer, the one from when the bot was away included',
      kept: answers.length === 6,
    },
    {
      promise: 'in the thread nobody had to mention the bot',
      kept: messages.length > 0 && messages.every(({ mentionsBot }) => !mentionsBot),
    },
    {
      promise: 'every request to the model held the whole conversation so far, and named no earlier response',
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
      promise: 'after its reload the model, which had forgotten everything, still knew who said what',
      kept: answers[3] === 'alice and bob come along; bob does not eat meat.',
    },
    {
      promise: 'after its restart the bot knew the first question, and what was written while it was away',
      kept:
        last.includes(trip.whileAway) &&
        answers[5] === `First you asked: "${trip.mention}" The tickets are brought by bob.`,
    },
    {
      promise: 'both processes of the bot ended when they were asked to',
      kept: exitCodes.length === 2 && exitCodes.every((code) => code === 143),
    },
  ];
}
