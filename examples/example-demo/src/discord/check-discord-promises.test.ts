import { describe, expect, it } from 'vitest';
import { checkDiscordPromises, type DiscordFacts } from './check-discord-promises.ts';
import { planTrip, trip } from './plan-trip.ts';

const good = playGood();
const broken = (fields: Partial<DiscordFacts>) =>
  checkDiscordPromises({ ...good, ...fields }).flatMap(({ promise, kept }) => (kept ? [] : [promise]));
const withoutHistory = good.requests.map(({ input, ...request }) => ({
  ...request,
  input: input.split('\n').at(-1) ?? '',
}));
const saying = (texts: readonly string[]) => texts.map((text) => ({ text, byBot: true, mentionsBot: false }));
const answers = good.messages.flatMap(({ byBot, text }) => (byBot ? [text] : []));

/** The conversation as it should go, with the script that really plays. */
function playGood(): DiscordFacts {
  const lines: string[] = [];
  const messages: { byBot: boolean; text: string; mentionsBot: boolean }[] = [];
  const requests: { input: string; namesEarlierResponse: boolean }[] = [];
  for (const text of Object.values(trip)) {
    const isOfBob = text === trip.newcomer || text === trip.whileAway;
    lines.push(`user: ${isOfBob ? 'bob' : 'alice'}: ${text}`);
    const input = lines.join('\n');
    const answer = planTrip(input);
    lines.push(`assistant: ${answer.replaceAll('\n', '\n  ')}`);
    requests.push({ input, namesEarlierResponse: false });
    messages.push({ byBot: true, text: answer, mentionsBot: false });
  }
  const threads = [{ name: `suzume: ${trip.mention}`, isFromMention: true }];
  return { exitCodes: [143, 143], threads, messages, requests };
}

describe('checkDiscordPromises', () => {
  it('finds every promise kept after a good conversation', () => {
    expect(broken({})).toEqual([]);
  });

  it.each<[string, Partial<DiscordFacts>, RegExp]>([
    ['no thread', { threads: [] }, /one thread/],
    ['a thread of somebody else', { threads: [{ name: 'plans', isFromMention: false }] }, /one thread/],
    ['an answer twice', { messages: saying([...answers, answers[4] ?? '']) }, /exactly one answer/],
    [
      'a mention in the thread',
      { messages: [...good.messages, { byBot: false, text: '@suzume', mentionsBot: true }] },
      /mention the bot/,
    ],
    [
      'an earlier response that is named',
      { requests: good.requests.map((request) => ({ ...request, namesEarlierResponse: true })) },
      /no earlier response/,
    ],
    ['an answer from nothing', { messages: saying(answers.with(3, 'Who?')) }, /after the reload/],
    ['a bot that forgot', { messages: saying(answers.with(5, 'I do not know.')) }, /after the restart/],
    ['a bot that had to be killed', { exitCodes: [143, 137] }, /exited on request/],
  ])('notices %s, and nothing else', (_, fields, promise) => {
    expect(broken(fields)).toEqual([expect.stringMatching(promise)]);
  });

  it('notices requests without the history', () => {
    expect(broken({ requests: withoutHistory })).toEqual([
      expect.stringMatching(/whole conversation/),
      expect.stringMatching(/after the restart/),
    ]);
  });
});

describe('planTrip', () => {
  it('answers from its input alone, and says what is missing there', () => {
    expect(planTrip(`user: alice: ${trip.afterReload}`)).toContain(
      'something that my input does not contain',
    );
    expect(planTrip(`user: alice: ${trip.followUp}`)).toContain('something that my input does not contain');
    expect(planTrip('user: alice: hello')).toContain('no line');
  });
});
