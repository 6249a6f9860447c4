import { hashTaskKey } from '@agent/run-store';
import { describe, expect, it } from 'vitest';
import type { Interruption } from './interruption.ts';
import { after, before, type Moment } from './moment.ts';
import { gitLab, issue, pullRequest, type Scenario, several, talkOnMergeRequest } from './scenarios.ts';
import { runTrial } from './trial.ts';

/** Kills at each of the moments, and expects the end that an undisturbed run comes to. */
async function expectSameEnd(scenario: Scenario, moments: readonly Moment[]): Promise<void> {
  await expectSameEndOf(
    scenario,
    moments.map((moment) => ({ act: 'kill', moment })),
  );
}

async function expectSameEndOf(scenario: Scenario, interruptions: readonly Interruption[]): Promise<void> {
  const { done, failure } = await runTrial(scenario, interruptions);
  expect(failure).toBeNull();
  expect(done.map(({ interruption }) => interruption)).toEqual(interruptions);
}

/** In the middle of the work. */
const pauseEverything: Interruption = {
  act: 'pause',
  what: 'everything',
  moment: { kind: 'request', match: 'POST /v1/chat/completions', nth: 3, side: 'meanwhile' },
  kill: null,
};

const slow = { timeout: 120_000 };

// A dozen kills, some of each kind; `npm run test:kill -- 200` chooses any number of others by chance.
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
    'while it is asked for its final summary, and in the middle of writing it [CI-36, RL-9]',
    slow,
    async () => {
      // Six answers of the conversation come before.
      const asked: Moment = { kind: 'request', match: 'POST /v1/responses', nth: 7, side: 'meanwhile' };
      const written: Moment = { kind: 'disk', match: 'writeFile summaries.jsonl', nth: 2, side: 'torn' };
      await expectSameEnd(issue, [asked, written]);
    },
  );

  it(
    'between final summary and outcome, before and after it is put into the index, and before it is moved [CI-36, CI-66, RL-9]',
    slow,
    async () => {
      const summary: Moment = { kind: 'disk', match: 'writeFile summaries.jsonl', nth: 3, side: 'after' };
      const match = `rename ${hashTaskKey('github_issue:acme:shop:1')}.json`;
      // The first attempt finds that there is no directory for it yet.
      const record: Moment = { kind: 'disk', match, nth: 2, side: 'before' };
      await expectSameEnd(issue, [summary, record, after('disk', match), before('disk', 'rename <uuid>')]);
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

  it(
    'while people comment: between its looks before the first model call, with a delivery that is only in its journal, and when what it pushes is commented on [NX-2, NX-8, RL-9]',
    slow,
    async () => {
      const opened = before('request', 'POST /acme/shop.git/git-upload-pack');
      // Kept when the run begins, when comments are found, and when they are delivered.
      const state = 'rename comment_detection_state.json';
      const delivered: Moment = { kind: 'disk', match: state, nth: 3, side: 'before' };
      const push = 'POST /acme/shop.git/git-receive-pack';
      const pushed: Moment = { kind: 'request', match: push, nth: 1, side: 'meanwhile' };
      await expectSameEnd(talkOnMergeRequest, [opened, delivered, pushed]);
    },
  );

  it('while it pauses, before and after it says so, on GitLab [RL-4, RL-9]', slow, async () => {
    const saved = after('disk', 'rename task_state.json');
    await expectSameEndOf(gitLab, [
      { ...pauseEverything, kill: saved },
      { act: 'kill', moment: after('request', 'POST /api/v4/projects/') },
    ]);
  });

  it('while it resumes, moved but not counted, on GitLab [RL-5, RL-9]', slow, async () => {
    const counted = before('disk', 'rename task_state.json');
    await expectSameEndOf(gitLab, [pauseEverything, { act: 'kill', moment: counted }]);
  });

  it(
    'when it is told to pause what has ended already, and dies before it forgets that [RL-2, RL-9]',
    slow,
    async () => {
      const comment = 'POST /repos/acme/shop/issues/1/comments';
      const pause: Interruption = {
        act: 'pause',
        what: 'each run',
        moment: { kind: 'request', match: comment, nth: 1, side: 'before' },
        kill: before('disk', 'recent.jsonl'),
      };
      await expectSameEndOf(issue, [pause]);
    },
  );
});
