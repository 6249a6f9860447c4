import type { Outcome } from '@agent/run-store';
import type { Judgement } from '../outcome/judge-outcome.ts';
import type { ChangeRequestKind } from '../run/run-facts.ts';

/** Facts that a stopped run is told with. */
export interface StopFacts {
  /** True where somebody took the assignment away; else the run was told to stop. */
  readonly unassigned: boolean;
  /** Whoever told it to stop, as code; null where that is not known. */
  readonly stoppedBy: string | null;
  /** With its time zone. */
  readonly stoppedAt: string;
  readonly modelCalls: number;
  /** Lines about its plan; none for a run without one. */
  readonly plan: readonly string[];
  /** Instruction to begin again. */
  readonly beginAgain: string;
}

/** Part of a run's record that is lost, as far as it can still be read. */
export interface LostPart {
  /** Names of the tools that were begun in it. */
  readonly tools: readonly string[];
  /** Comments that the model was told in it. */
  readonly comments: number;
  /** Status of the end that it held; null where it held none. */
  readonly ended: string | null;
}

/** Work that was done on another machine, as far as it is not on this one. */
export interface MissingWork {
  readonly leftOut: readonly { readonly path: string; readonly why: LeftOutReason }[];
  /** Why what was changed last is not here, or none of it; null where all is. */
  readonly missing: string | null;
}

type LeftOutReason = 'large' | 'repository' | 'special' | 'unreadable';

/** Lists what was left out, 20 at most. */
export const listLeftOut = (
  { leftOut }: MissingWork,
  {
    reasons,
    more,
  }: { readonly reasons: Readonly<Record<LeftOutReason, string>>; readonly more: (count: number) => string },
): string[] => [
  ...leftOut.slice(0, 20).map(({ path, why }) => `- ${JSON.stringify(path)} (${reasons[why]})`),
  ...(leftOut.length > 20 ? [more(leftOut.length - 20)] : []),
];

/** Names in code spans, each once, 20 at most. */
export const listNames = (tools: readonly string[]) =>
  [...new Set(tools)]
    .slice(0, 20)
    .map((tool) => `\`${tool}\``)
    .join(', ');

/** Formats the same for the model, which reads English. */
export function lossForModel({ tools, comments, ended }: LostPart): string {
  return [
    'Note by the system that runs you: the newest part of the record of this conversation was lost. What you said and did in it is not shown to you, and may have taken effect.',
    tools.length === 0 ? '' : `Tools that were begun in it: ${listNames(tools)}.`,
    comments === 0
      ? ''
      : `You were told ${comments} ${comments === 1 ? 'comment' : 'comments'} in it; you are told of them again.`,
    ended === null ? '' : 'The work had ended in it already.',
    'Look at the files and at the thread as they are now before you do anything, and do not repeat what is done.',
  ]
    .filter((line) => line !== '')
    .join(' ');
}

/** Words of the comment that a run ends with, of the one that says it goes on, and of those about its model. */
export const en = {
  /** Heading of the final comment. */
  headings: {
    completed: '## ✅ Task completed',
    answered: '## 💬 Question answered',
    nothing_to_change: '## ➖ Nothing to change',
    partial: '## ⚠️ Task partly done',
    needs_input: '## ⏸️ Task paused',
    stopped: '## ⛔ Task stopped',
    failed: '## ❌ Task failed',
  } as Readonly<Record<Outcome, string>>,
  /** Reasons of runs that ended without changes, without an answer, and without a reason for it. */
  unchangedFailures: {
    'no-work':
      'The model did no work: it changed no files and gave no reason that is based on the repository. Try another model, preferably one that is good at tool calls, or describe the task in more detail.',
    'open-plan':
      'No files were changed, and the plan is not finished: actions are open, or the verification did not pass. Try another model, or describe the task in more detail.',
  } as Readonly<Record<NonNullable<Judgement['cause']>, string>>,
  reason: '**Reason:**',
  tried: '**What was tried:**',
  nothingTried: 'No tool was run.',
  more: (count: number) => `- and ${count} more`,
  /** Added where people can say so on the thread. */
  goOn: 'To go on from where it failed, remove the cause and comment `/retry` (within 7 days).',
  draft: (kind: ChangeRequestKind) => `**Draft ${kind}:**`,
  /** Before one that an earlier run opened; people may have made it ready since. */
  open: (kind: ChangeRequestKind) => `**Open ${kind}:**`,
  /** Said where people took our part out of the description. */
  descriptionLeft:
    '(Its description was left as people changed it: what this run did stands in this comment.)',
  files: (count: number) => `${count} ${count === 1 ? 'file' : 'files'} changed`,
  pushed: '**Pushed to:**',
  /** Before the branch of a run that failed. */
  pushedUnfinished: '**What was done so far is pushed to:**',
  notPushed: (problem: string) =>
    `What was done so far could not be pushed and lies on the agent's machine, because: ${problem}`,
  /** Said of a push that was refused, or could not be asked for. */
  pushedLater: (branch: string) =>
    `It is tried again for up to seven days; once it works, the changes are on the branch ${branch}.`,
  /** The problem with a branch that people work on. */
  branchOfPeople:
    'this branch is for people to push to, and unfinished changes are kept off it. `/retry` goes on with them.',
  unchanged: 'No files were changed.',
  /** Said of a task that could not be begun again and again. */
  notBegun: (reason: string) =>
    `I could not begin: ${reason}\n\nI keep trying, at least once an hour, until it works or this thread is taken back from me.`,
  /** Said of a run that has done its work and cannot bring it to the platform. */
  notDelivered: (reason: string) =>
    `I cannot bring my work here yet: ${reason}\n\nI keep trying, at least once an hour, for up to seven days; an operator can end that with \`agent-daemon settle\`. What is written here meanwhile is heard at the next attempt, \`/stop\` too.`,
  endedAt: 'Ended at',
  paused: 'The task was paused. It will be resumed later.',
  pausedBy: (name: string) => `The task was paused because ${name} asked for it. It will be resumed later.`,
  resumed: 'The paused task is being resumed.',
  resumedPlan: 'The paused task is being resumed (planning in progress).',
  /** Said before a run goes on whose record lacks what it held. */
  lossForPeople: ({ tools, comments, ended }: LostPart) =>
    [
      "⚠️ **Part of this run's record on the agent's machine is lost** (a damaged or shortened file, or a directory restored from a backup). The run goes on from what is whole, and may do once more what it has done since: please look at its branch and at this thread.",
      tools.length === 0 ? '' : `Tools that it had begun: ${listNames(tools)}.`,
      comments === 0 ? '' : `It is told once more of ${comments} ${comments === 1 ? 'comment' : 'comments'}.`,
      ended === null ? '' : 'It had ended already.',
    ]
      .filter((line) => line !== '')
      .join(' '),
  /** Told to the model before a run goes on in another worktree than the one that it was in. */
  movedForModel: (work: MissingWork) =>
    [
      work.missing === null
        ? 'Note by the system that runs you: this work continues on another machine. The files of the worktree are there as they were after the last call whose result you see, new ones and commits included.'
        : `Note by the system that runs you: this work continues on another machine, and what you changed last could not be brought there: ${work.missing}. Look at the files as they are now before you rely on what was said of them.`,
      'Not there are: what commands had installed or built in files that git ignores (such as node_modules) or outside of the worktree, empty directories, repositories inside the worktree, and processes that you had started. Set up again what you need.',
      ...(work.leftOut.length === 0
        ? []
        : ['Left out were these paths; they are missing, or as the branch has them:']),
      ...listLeftOut(work, {
        reasons: {
          large: 'too large',
          repository: 'a repository of its own',
          special: 'no regular file',
          unreadable: 'could not be read',
        },
        more: en.more,
      }),
    ].join('\n'),
  /** Said when what a run had changed could not be brought to the machine on which it goes on. */
  movedForPeople: (missing: string) =>
    `⚠️ **The agent goes on with this task on another machine, and what it had changed last could not be brought there**: ${missing}. It goes on with what is there, and may do some of it once more.`,
  unrestorable: 'The state of the paused task could not be restored, so it begins anew as a new task.',
  /** Why a run is given up whose process died again and again. */
  crashed: (times: number) =>
    `The process died ${times} times in a row while it worked on this task, without completing a step. Its log says more.`,
  stopped: ({ unassigned, stoppedBy, stoppedAt, plan, modelCalls, beginAgain }: StopFacts) =>
    [
      en.headings.stopped,
      '',
      unassigned
        ? 'The coding agent is no longer assigned, so the task was stopped.'
        : `The task was stopped because ${stoppedBy ?? 'somebody'} asked for it.`,
      '',
      `**Stopped at:** ${stoppedAt}`,
      ...plan,
      `**Model calls:** ${modelCalls}`,
      '',
      beginAgain,
    ].join('\n'),
  statistics: '### 📊 Statistics',
  modelCalls: 'Model calls',
  toolCalls: 'Tool calls',
  tokens: 'Tokens (in / out)',
  cachedShare: (percent: number) => `${percent}% read from the cache`,
  reasoningTokens: (tokens: number) => `${tokens} of them to think`,
  cost: 'Cost',
  /** Calls that were cut short, and may have been billed. */
  presumed: (amount: string) => `of it ${amount} presumed for calls that were cut short`,
  /** A limit of spending, by what it is for. */
  spendingLimit: {
    run: (amount: string) => `${amount} for this run`,
    thread: (amount: string) => `${amount} for this thread`,
    person: (amount: string) => `${amount} for the person who started it`,
    repository: (amount: string) => `${amount} for this repository`,
    day: (amount: string) => `${amount} for one day`,
  },
  duration: 'Duration',
  durationOf: ({ minutes, seconds }: { readonly minutes: number; readonly seconds: number }) =>
    minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds} s`,
  requests: 'Requests to the platform (unchanged)',
  detection: 'Comment detection (events / detected / added to the context / errors)',
  modelIsAway:
    '⏳ The model has not been available for more than 10 minutes, so this task waits. It goes on by itself from where it is as soon as the model answers; nothing needs to be done here.',
  modelIsBack: '▶️ The model is available again, and this task has gone on from where it was.',
  /** Changes with secrets, which were not pushed. */
  refusedPush: {
    refused:
      'The changes were not pushed, because they hold what looks like secrets, or what cannot be looked through for them.',
    inName: 'in its name',
    inWhole: 'all of it',
    line: (line: number) => `line ${line}`,
    remedy:
      'The changes are kept in the worktree. What is no secret can be allowed by the operator: `outgoing.allow_paths`, or `outgoing.allow_fingerprints` with the fingerprint that the log tells.',
  },
  /** Our part of the body of a pull or merge request. */
  request: {
    latest: '## Summary',
    earlier: '### An earlier run',
    left: '*The issue tells of the runs before these.*',
    files: '## Changed files',
    /** Stands for the summary where more people read the request than the thread that it rests on. */
    neutral: 'What was asked, done and found out stands on the issue, for those who may read it.',
  },
  /** Comments that came during a run. */
  heard: {
    heading: '### 💬 Comments during the run',
    kinds: { added: 'comment', edited: 'edit', deleted: 'deletion' },
    threadText: 'edit of the title or text',
    command: (name: string) => `command \`/${name}\``,
    outcomes: {
      obeyed: 'obeyed',
      refused: 'not obeyed, as its author may not steer',
      unknown: 'nothing was rejected, as there is no such assumption',
    },
    nothingToApprove: 'nothing waited for an approval',
    noBudget: 'nothing was changed, as it names no amount, or more than may be allowed here',
    delivered: 'the agent was told',
    undelivered: 'the agent was not told',
    kept: 'too late for this run, kept for the next one',
    ghost: 'a deleted account',
    check: { who: 'a check', what: 'result' },
    unread: (since: string) =>
      `The thread could be read until ${since} only. The agent may not have been told what was said after that.`,
  },
  /** Why a thread is not worked on: what is wrong, and what to do. */
  refusals: {
    fork: 'The head branch of this request lies in a fork. The agent works on branches of this repository only: it could not bring its changes to the fork, and would run its code before anybody looked at it. Push the branch to this repository and open the request from there, or say in an issue what is to be done.',
    confidential:
      'This issue is confidential, and the project is read by people who may not read the issue. The branch and the merge request would show them what it is about. Say what they may know in an issue that is not confidential. (The operator can allow it with `platforms.gitlab.confidential_issues: allow`: then branch, commits and request are named by the number alone, but the changes themselves can be read.)',
  },
  /** Those who may give a thread to the agent. */
  whoMay: (collaborators: boolean): string =>
    collaborators
      ? 'people with write permission in this repository'
      : 'people who are named in my configuration (`trust`)',
  /** In place of the notice that pre-planning is done. */
  prePlanningCutShort: {
    failure: `## ⚠️ Pre-Planning Was Not Finished

It failed on the way: the work begins with what was found out until then, and looks up the rest as it goes.`,
    limit: `## ⚠️ Pre-Planning Was Not Finished

It used up its share, a quarter of a limit of the task: the work begins with what was found out until then, and looks up the rest as it goes.`,
  },
};
