import { hashTaskKey } from '@agent/run-store';
import type { Interruption } from './interruption.ts';
import { after, before, type Moment } from './moment.ts';
import { gitLab, issue, pullRequest, type Scenario, several, talkOnMergeRequest } from './scenarios.ts';

/** Interruptions of work at moments that matter, and the work. */
export interface KnownMoments {
  readonly name: string;
  readonly scenario: Scenario;
  readonly interruptions: readonly Interruption[];
}

const kill = (moment: Moment): Interruption => ({ act: 'kill', moment });

const request = (side: 'before' | 'meanwhile' | 'after', match: string, nth = 1): Moment => ({
  kind: 'request',
  match,
  nth,
  side,
});

const disk = (side: 'before' | 'torn' | 'after', match: string, nth: number): Moment => ({
  kind: 'disk',
  match,
  nth,
  side,
});

/** In the middle of the work. */
const pauseEverything: Interruption = {
  act: 'pause',
  what: 'everything',
  moment: { kind: 'request', match: 'POST /v1/chat/completions', nth: 3, side: 'meanwhile' },
  kill: null,
};

const pulls = 'POST /repos/acme/shop/pulls';
const comments = 'POST /repos/acme/shop/issues/1/comments';
/** The first comment is the status comment; of a run without notices, the second is the final one. */
const finalComment = 2;
const push = 'POST /acme/shop.git/git-receive-pack';
const record = `rename ${hashTaskKey('github_issue:acme:shop:1')}.json`;
const state = 'rename comment_detection_state.json';

export const knownMoments: readonly KnownMoments[] = [
  {
    name: 'before a run has its directory, and in the middle of its first journal line',
    scenario: issue,
    interruptions: [before('disk', 'rename metadata.json'), disk('torn', 'write messages.jsonl', 1)].map(
      kill,
    ),
  },
  {
    name: 'after a command ran but before its result is written, and before the file .git of a worktree',
    scenario: issue,
    interruptions: [
      before('disk', 'rename .git'),
      disk('before', 'write messages.jsonl tool-finished', 3),
    ].map(kill),
  },
  {
    name: 'between push and pull request, and while GitHub opens the pull request',
    scenario: issue,
    interruptions: [before('request', pulls), request('meanwhile', pulls)].map(kill),
  },
  {
    name: 'between outcome and final comment, and between final comment and label',
    scenario: pullRequest,
    interruptions: [after('disk', 'rename outcome.json'), request('after', comments, finalComment)].map(kill),
  },
  {
    name: 'while it is asked for its final summary, and in the middle of writing it',
    scenario: issue,
    // Six answers of the conversation come before.
    interruptions: [
      request('meanwhile', 'POST /v1/responses', 7),
      disk('torn', 'write messages.jsonl summary', 1),
    ].map(kill),
  },
  {
    name: 'between final summary and outcome, before and after it is put into the index, and before it is moved',
    scenario: issue,
    interruptions: [
      disk('after', 'write messages.jsonl summary', 1),
      // The first attempt finds that there is no directory for it yet.
      disk('before', record, 2),
      after('disk', record),
      before('disk', 'rename <uuid>'),
    ].map(kill),
  },
  {
    name: 'with several tasks at work: during a push, and at a time when others are half done',
    scenario: several,
    // No machine gets through what is left of three tasks in less.
    interruptions: [request('meanwhile', push), { kind: 'time', afterMs: 600 } as const].map(kill),
  },
  {
    name: 'while people comment: between its looks before the first model call, with a delivery that is only in its journal, and when what it pushes is commented on',
    scenario: talkOnMergeRequest,
    interruptions: [
      before('request', 'POST /acme/shop.git/git-upload-pack'),
      // Kept when the run begins, when comments are found, and when they are delivered.
      disk('before', state, 3),
      request('meanwhile', push),
    ].map(kill),
  },
  {
    name: 'while it pauses, before and after it says so, on GitLab',
    scenario: gitLab,
    interruptions: [
      { ...pauseEverything, kill: after('disk', 'rename task_state.json') },
      kill(after('request', 'POST /api/v4/projects/')),
    ],
  },
  {
    name: 'while it resumes, moved but not counted, on GitLab',
    scenario: gitLab,
    interruptions: [pauseEverything, kill(before('disk', 'rename task_state.json'))],
  },
  {
    name: 'when it is told to pause what has ended already, and dies before it forgets that',
    scenario: issue,
    interruptions: [
      {
        act: 'pause',
        what: 'each run',
        moment: { kind: 'request', match: comments, nth: finalComment, side: 'before' },
        kill: before('disk', 'recent.jsonl'),
      },
    ],
  },
];
