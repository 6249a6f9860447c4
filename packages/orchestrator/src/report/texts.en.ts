import type { DetectionStatistics } from '@agent/comment-detection';
import type { Outcome } from '@agent/run-store';
import type { Judgement } from '../outcome/judge-outcome.ts';
import type { ChangeRequestKind } from '../run/run-facts.ts';
import type { LostPart } from '../run/run-record.ts';
import type { StopFacts, StopSentences } from '../run/watch-thread.ts';

interface Progress {
  readonly done: number;
  readonly total: number;
}

/** Work from another machine that is missing on this one. */
export interface MissingWork {
  readonly leftOut: readonly { readonly path: string; readonly why: LeftOutReason }[];
  /** Why the latest changes are missing; null if they are complete. */
  readonly missing: string | null;
}

type LeftOutReason = 'large' | 'repository' | 'special' | 'unreadable';

/** Lists paths that were not transferred, at most 20. */
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

/** Lists names as code spans, each once, at most 20. */
export const listNames = (tools: readonly string[]) =>
  [...new Set(tools)]
    .slice(0, 20)
    .map((tool) => `\`${tool}\``)
    .join(', ');

/** Formats the note about a lost part for the model, in English. */
export function lossForModel({ tools, comments, ended }: LostPart): string {
  return [
    'Note by the system that runs you: the latest part of the record of this conversation was lost. What you said and did in that part is not shown to you, and may have taken effect.',
    tools.length === 0 ? '' : `Tools started in that part: ${listNames(tools)}.`,
    comments === 0
      ? ''
      : `You received ${comments} ${comments === 1 ? 'comment' : 'comments'} in that part and will receive ${comments === 1 ? 'it' : 'them'} again.`,
    ended === null ? '' : 'The run had already finished in that part.',
    'Check the current state of the files and of the conversation before you do anything, and do not repeat work that is already done.',
  ]
    .filter((line) => line !== '')
    .join(' ');
}

/** Comments about the course and the end of a run, in English. */
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
  judgedCauses: {
    'no-work':
      'The model did no work: it changed no files, and it did not show from the code why no change is needed. Try another model, preferably with good support for tool calls, or describe the task in more detail.',
    'open-plan':
      'No files were changed, and the plan is not finished: actions are open, or the verification did not pass. Try another model, or describe the task in more detail.',
    'unfinished-plan': 'The plan is not finished: actions are open, or the verification did not pass.',
    unchecked: 'The model produced no usable plan, and no command succeeded after the last change.',
  } as Readonly<Record<NonNullable<Judgement['cause']>, string>>,
  reason: '**Reason:**',
  tried: '**What was tried:**',
  nothingTried: 'nothing. The model made no tool calls.',
  lastMessage: "**The model's last message:**",
  more: (count: number) => `- and ${count} more`,
  /** Shown only if the run receives commands. */
  goOn: 'To retry from this point, comment `/retry` within 7 days. You can add instructions to the same comment.',
  draft: (kind: ChangeRequestKind) => `**Draft ${kind}:**`,
  /** Label for a request that an earlier run opened; it may be ready for review by now. */
  open: (kind: ChangeRequestKind) => `**Open ${kind}:**`,
  /** Shown if someone removed the agent's part of the description. */
  descriptionLeft: "(Its description was edited, so I didn't update it. This comment describes my changes.)",
  files: (count: number) => `${count} ${count === 1 ? 'file' : 'files'} changed`,
  pushed: '**Pushed to:**',
  /** Label for the branch of a failed run. */
  pushedUnfinished: '**Unfinished changes pushed to:**',
  notPushed: (problem: string) =>
    `The unfinished changes were not pushed and are only on the agent's machine. Reason: ${problem}`,
  pushStopped: 'A command stopped the push.',
  pushedLater: (branch: string) =>
    `I'll retry the push for up to seven days. Once it succeeds, the changes are on the branch ${branch}.`,
  /** Reason for a branch that other users work on. */
  branchOfPeople:
    "I don't push unfinished changes to a branch that others work on. `/retry` continues with them.",
  unchanged: 'No files were changed.',
  /** In a partial result, before the way to continue. */
  openWork: ({ done, total }: Progress) =>
    done < total
      ? `${done} of ${total} planned steps are done. My status comment shows which ones are open.`
      : 'All planned steps are done, but the result did not pass verification. My status comment lists the issues found.',
  openWorkWithoutPlan: 'The work is not complete.',
  /** At the end of a run that reached its goal; followed by the way to begin again. */
  whatNext: 'If something is wrong or missing, describe it in a comment before you restart the task.',
  /** Posted after several failed attempts to start a task. */
  notBegun: (reason: string) =>
    `I couldn't start: ${reason}\n\nI'll retry at least once an hour until it works or you withdraw the task.`,
  /** Posted if a run at work is refused access to the platform or git. */
  noAccess: (reason: string) =>
    `I can't continue: ${reason}\n\nI'll retry at least once an hour for up to seven days. I'll read new comments, including \`/stop\`, with the next attempt.`,
  /** Posted if the work of a run is done but the platform does not accept it. */
  notDelivered: (reason: string) =>
    `I couldn't publish my work here yet: ${reason}\n\nI'll retry at least once an hour for up to seven days. An operator can discard the pending updates with \`agent-daemon settle\`.\n\nI'll read new comments, including \`/stop\`, with the next attempt.`,
  endedAt: 'Finished at',
  pausedAt: 'Paused at',
  paused: 'The task is paused and will be resumed later.',
  pausedBy: (name: string) => `${name} paused the task. It will be resumed later.`,
  resumed: 'Resuming the paused task.',
  resumedPlan: 'Resuming the paused task (planning in progress).',
  /** Posted before a run with a damaged record continues. */
  lossForPeople: ({ tools, comments, ended }: LostPart) =>
    [
      "⚠️ **Part of my record of this task was lost** (a damaged or truncated file, or a directory restored from a backup). I'm continuing from the intact part and may repeat some steps. Please check my branch and my comments.",
      tools.length === 0 ? '' : `Tools started in the lost part: ${listNames(tools)}.`,
      comments === 0 ? '' : `I'll read ${comments} ${comments === 1 ? 'comment' : 'comments'} again.`,
      ended === null ? '' : 'The task had already finished.',
    ]
      .filter((line) => line !== '')
      .join(' '),
  /** Note for the model of a run that continues in another worktree. */
  movedForModel: (work: MissingWork) =>
    [
      work.missing === null
        ? 'Note by the system that runs you: this work continues on another machine. The files of the worktree, including new files and commits, are as they were after the last call whose result you see.'
        : `Note by the system that runs you: this work continues on another machine, and your latest changes could not be transferred: ${work.missing}. Check the current files before you rely on anything said about them.`,
      'These are missing: anything that commands installed or built in files that git ignores (such as node_modules) or outside the worktree, empty directories, repositories inside the worktree, and processes that you started. Set up again what you need.',
      ...(work.leftOut.length === 0
        ? []
        : ['These paths were not transferred. They are missing, or have the content of the branch:']),
      ...listLeftOut(work, {
        reasons: {
          large: 'too large',
          repository: 'a separate repository',
          special: 'not a regular file',
          unreadable: 'could not be read',
        },
        more: en.more,
      }),
    ].join('\n'),
  /** Posted if the latest changes could not be transferred to the machine on which the run continues. */
  movedForPeople: (missing: string) =>
    `⚠️ **I'm continuing this task on another machine, but my latest changes could not be transferred**: ${missing}. I may repeat some steps.`,
  unrestorable: "The state of the paused task could not be restored, so I'm starting it again as a new task.",
  /** Reason for a run that is abandoned after repeated crashes. */
  crashed: (times: number) =>
    `The agent process crashed ${times} times in a row on this task without completing a step. See its log for details.`,
  stopped: ({ stopCause, stoppedBy, stoppedAt, plan, modelCalls, beginAgain }: StopFacts) =>
    [
      en.headings.stopped,
      '',
      stopCause !== null
        ? stopCause
        : stoppedBy === null
          ? 'The task was stopped on request.'
          : `${stoppedBy} stopped the task.`,
      '',
      `**Stopped at:** ${stoppedAt}`,
      ...plan,
      `**Model calls:** ${modelCalls}`,
      '',
      beginAgain,
    ].join('\n'),
  stopCauses: {
    unassigned: () => 'The coding agent is no longer assigned, so the task was stopped.',
    unlabeled: () => 'The label of a running task was removed, so the task was stopped.',
    closed: (kind) => `The ${kind} was closed, so the task was stopped.`,
    deleted: (kind) => `The ${kind} was deleted or transferred, so the task was stopped.`,
  } as StopSentences,
  reopenToResume: (kind: 'issue' | ChangeRequestKind) => `To resume the task, reopen the ${kind}.`,
  statistics: '### 📊 Statistics',
  modelCalls: 'Model calls',
  toolCalls: 'Tool calls',
  tokens: 'Tokens in / out',
  cachedShare: (percent: number) => `${percent}% of input from cache`,
  reasoningTokens: (tokens: number) => `${tokens} for reasoning`,
  cost: 'Cost',
  /** For interrupted calls, which may have been billed. */
  presumed: (amount: string) => `including an estimated ${amount} for interrupted calls`,
  duration: 'Duration',
  durationOf: ({ minutes, seconds }: { readonly minutes: number; readonly seconds: number }) =>
    minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds} s`,
  requests: (platform: string) => `Requests to ${platform}`,
  notModified: (count: number) => `${count} answered from the cache`,
  detection: 'New comments',
  detected: (counts: DetectionStatistics) =>
    counts.detected_comments === 0
      ? 'none'
      : `${counts.detected_comments} (${counts.added_comments} delivered to the agent)`,
  /** Added to it if the thread could not always be read. */
  failedReads: (errors: number) =>
    `${errors} ${errors === 1 ? 'attempt' : 'attempts'} to read comments failed`,
  modelIsAway:
    "⏳ The model has been unavailable for more than 10 minutes, so this task is waiting. I'll continue automatically when the model responds again. You don't need to do anything.",
  modelIsBack: "▶️ The model is available again, and I'm continuing this task.",
  /** Changes with secrets, which were not pushed. */
  refusedPush: {
    refused:
      'The changes were not pushed because they contain possible secrets, or files that cannot be scanned for secrets:',
    inName: 'file name',
    inWhole: 'whole file',
    line: (line: number) => `line ${line}`,
    remedy:
      'The changes are kept in the worktree. If a value is not a secret, the operator can allow it with `outgoing.allow_paths`, or with `outgoing.allow_fingerprints` and the fingerprint from the log.',
  },
  /** The agent's part of the description of a pull or merge request. */
  request: {
    latest: '## Summary',
    earlier: '### Earlier run',
    left: '*See the issue for older runs.*',
    files: '## Changed files',
    /** Replaces the summary if the request is visible to more users than the issue. */
    neutral: 'Details are on the issue, visible to users with access to it.',
  },
  /** Comments that arrived during a run. */
  heard: {
    heading: '### 💬 Comments during the run',
    kinds: { added: 'new comment', edited: 'edited comment', deleted: 'deleted comment' },
    threadText: 'edit of the title or description',
    separator: ', ',
    command: (name: string, outcome: string) => `\`/${name}\` was ${outcome}`,
    /** Between what became of the comment and of its command. */
    clause: '; ',
    outcomes: {
      obeyed: 'applied',
      refused: 'ignored because the author has no write access',
      unknown: 'ignored because there is no such assumption',
    },
    nothingToApprove: 'ignored because nothing is waiting for approval',
    nothingToAllow:
      'ignored because no held change with this number can be allowed; name paths in the issue before the task starts',
    noBudget: 'ignored because the amount is missing or above the maximum',
    noWatch: 'ignored because the time is invalid or there is nothing to watch',
    delivered: 'delivered to the agent',
    listed: 'listed for the agent, text on request',
    undelivered: 'not delivered',
    kept: 'too late for this run, will be delivered to the next run',
    ghost: 'Deleted account',
    check: { who: 'Check', what: 'result' },
    unread: (since: string) =>
      `Comments could only be read until ${since}. Later comments may not have been delivered to the agent.`,
  },
  /** Reasons why a task is not started, and what to do instead. */
  refusals: {
    fork: "The head branch is in a fork. I only work on branches of this repository: I couldn't push my changes to the fork, and I would run its code before anyone has reviewed it. Push the branch to this repository and propose it from there, or describe the task in an issue.",
    confidential:
      "This issue is confidential, but the project is visible to users who can't read the issue. My branch and merge request would show them what it is about. Describe the part that may be public in an issue that is not confidential. (The operator can allow confidential issues with `platforms.gitlab.confidential_issues: allow`. Branch, commits and merge request then show only the issue number, but the changes themselves are visible.)",
  },
  /** Reasons why a branch is not pushed to. */
  guarded: {
    default: (branch: string) => `Not pushed: ${branch} is the default branch now. The commits are kept.`,
    protected: (branch: string) => `Not pushed: ${branch} is protected now. The commits are kept.`,
    base: (branch: string) =>
      `Not pushed: ${branch} is the base of another open request now. The commits are kept.`,
  },
  /** Names the users who can assign tasks to the agent. */
  whoMay: (collaborators: boolean): string =>
    collaborators
      ? 'users with write access to this repository'
      : 'users listed under `trust` in my configuration',
  /** Posted instead of the notice that pre-planning is complete. */
  prePlanningCutShort: {
    failure: `## ⚠️ Pre-planning ended early

An error interrupted it. I'm starting with the information I have and will look up the rest as I go.`,
    limit: `## ⚠️ Pre-planning ended early

It used up its share, a quarter of a limit of the task. I'm starting with the information I have and will look up the rest as I go.`,
  },
};
