// @module-tag full
import { expect, it } from 'vitest';
import { playTrial } from './play-trial.ts';

// 500 messages: npm run trial -- discord 1 --messages 500
it('the bot answers each message once over kills, a bad network, dropped connections and lost events', async () => {
  const { findings, trace } = await playTrial({ seed: 40, harm: 'mixed', messages: 25 });
  expect(findings, trace).toEqual([]);
});
