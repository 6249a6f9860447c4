import { expect, it } from 'vitest';
import { Tally } from './tally.ts';

it('counts the time that a run works, in this process and earlier ones, without its rests [NX-41]', () => {
  let time = 1_000;
  const tally = new Tally(() => time);
  tally.addEarlierMs(500);
  time += 10_000;
  tally.addRest(4_000);
  tally.addRest(1_000);
  expect(tally.statistics().durationMs).toBe(5_500);
  tally.addEarlierMs(200);
  expect(tally.statistics().durationMs).toBe(5_500);
});

it('reads back what a summary cost, and nothing where its record does not say [NX-41]', () => {
  const tally = new Tally(() => 0);
  const summary = { startSeq: 0, endSeq: 1, text: 'So far' };
  const nothing = {
    instructions: '',
    context: [],
    said: [],
    work: [],
    entries: [],
    activeMs: 0,
    spent: null,
    window: null,
  };
  const usage = { inputTokens: 30, outputTokens: 7 };
  tally.countReplayed({ ...nothing, summaries: [summary, { ...summary, usage }] });
  expect(tally.statistics()).toMatchObject({ modelCalls: 1, inputTokens: 30, outputTokens: 7 });
});
