import { describe, expect, it } from 'vitest';
import { after, before, type Moment } from './moment.ts';
import { issue, pullRequest, type Scenario, several } from './scenarios.ts';
import { runTrial } from './trial.ts';

/** Kills at each of the moments, and expects the end that an undisturbed run comes to. */
async function expectSameEnd(scenario: Scenario, moments: readonly Moment[]): Promise<void> {
  const { kills, failure } = await runTrial(scenario, moments);
  expect(failure).toBeNull();
  expect(kills.map(({ moment }) => moment)).toEqual(moments);
}

const slow = { timeout: 120_000 };

// Ten kills, some of each kind; `npm run test:kill -- 200` chooses any number of others by chance.
describe.concurrent('a daemon killed and started again ends as if nothing had been', () => {
  it('before a run has its directory, and in the middle of its first journal line [RL-9]', slow, async () => {
    const firstLine: Moment = { kind: 'disk', match: 'write messages.jsonl', nth: 1, side: 'torn' };
    await expectSameEnd(issue, [before('disk', 'rename metadata.json'), firstLine]);
  });

  it(
    'after a command ran but before its result is written, and before the file .git of a worktree [RL-9]',
    slow,
    async () => {
      const secondCommand: Moment = { kind: 'disk', match: 'datasync tools.jsonl', nth: 6, side: 'before' };
      await expectSameEnd(issue, [before('disk', 'rename .git'), secondCommand]);
    },
  );

  it('between push and pull request, and while GitHub opens the pull request [RL-9]', slow, async () => {
    const request = 'POST /repos/acme/shop/pulls';
    const onItsWay: Moment = { kind: 'request', match: request, nth: 1, side: 'meanwhile' };
    await expectSameEnd(issue, [before('request', request), onItsWay]);
  });

  it(
    'between outcome and final comment, and between final comment and label [RL-9, RL-14]',
    slow,
    async () => {
      const comment = after('request', 'POST /repos/acme/shop/issues/1/comments');
      await expectSameEnd(pullRequest, [after('disk', 'rename outcome.json'), comment]);
    },
  );

  it(
    'with several tasks at work: during a push, and at a time when others are half done [RL-9, RL-14]',
    slow,
    async () => {
      const request = 'POST /acme/shop.git/git-receive-pack';
      const push: Moment = { kind: 'request', match: request, nth: 1, side: 'meanwhile' };
      // No machine gets through what is left of three tasks in less.
      await expectSameEnd(several, [push, { kind: 'time', afterMs: 600 }]);
    },
  );
});
