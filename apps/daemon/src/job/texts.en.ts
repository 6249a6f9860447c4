import type { SkipReason } from './decide-job.ts';

/** Texts of jobs in English. */
export const en = {
  run: (thread: string, event: string) => `${event}: working on ${thread}`,
  skip: {
    'own-act': 'the agent itself caused this event',
    bot: 'a bot caused this event, and bots start no runs',
    fork: 'the branch of this pull request is in a fork: the agent does not run on code that anyone can propose',
    'no-thread': 'this event names no issue, pull request or merge request of this repository',
    'other-action': 'this event gives the agent nothing to do',
  } satisfies Readonly<Record<SkipReason, string>>,
  skipped: (event: string, reason: string) => `${event}: nothing to do, because ${reason}.`,
  refused: {
    'unsafe-event': (event: string) =>
      `The agent does not run on ${event}: it would give the secrets of the repository to code that anyone can propose, or has no issue to work on. Use issues, issue_comment, pull_request_review, pull_request_review_comment or workflow_dispatch.`,
    'unknown-event': (event: string) =>
      `The agent does not know what to do on ${event}. Use issues, issue_comment, pull_request_review, pull_request_review_comment or workflow_dispatch; on GitLab issue, comment and merge request events.`,
  },
  publicRecord: (ref: string) =>
    `Everyone can read this repository, and so could everyone read the record of the run in ${ref}. Set the secret AGENT_RECORD_KEY (openssl rand -hex 32), which encrypts it.`,
  noToken: (name: string) => `${name} is not set. Pass the token that the agent works with.`,
  timeIsUp: 'The time limit of this job is near: pausing the run. The next job resumes it.',
  nextStarted: 'Started the next job.',
  nextNotStarted:
    'This job may not start the next one. The next comment on the thread resumes the run; with the permission "actions: write" on GitHub, a job starts the next one itself.',
};

/** Texts of jobs. */
export type JobTexts = typeof en;
