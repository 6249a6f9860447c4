// @module-tag full
import { expect, it } from 'vitest';
import { runTrial } from './trials.ts';

// 500 messages: npm run test:kill -- 1 --only discord --messages 500
it('the bot answers each message once over kills, a bad network, dropped connections and lost events', async () => {
  const { findings, report } = await runTrial(40, {}, 25);
  expect(findings, report).toEqual([]);
});
