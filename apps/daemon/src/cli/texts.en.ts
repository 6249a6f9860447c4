import type { IdleThread } from '@agent/orchestrator';
import type { MigratedRun } from '@agent/run-store/migration';
import type { WaitsFor } from '@agent/runner';
import { formatCommand } from '../command-name.ts';
import { help } from './help.en.ts';
import { show } from './show-texts.en.ts';
import type {
  ActivityCounts,
  CopiedCounts,
  RunStatistics,
  ShownMember,
  ShownProblem,
  ShownQueued,
  ShownRequests,
  ShownSearch,
} from './text-facts.ts';

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

const formatProcess = ({ pid, host }: ShownMember) => `process ${pid} on ${host}`;

/** Texts of the command line in English. */
export const en = {
  pausedAll: (place: string) =>
    `All tasks pause, and no new task starts.\nPause signal: ${place}\nTo resume: ${formatCommand('resume')}`,
  resumedAll: (place: string) =>
    `Removed the pause signal: ${place}\nTasks resume. Tasks that were paused by name stay paused until "${formatCommand('resume TASK')}".`,
  nothingToResume: (place: string) =>
    `No pause signal is set (${place}). To resume a single task: ${formatCommand('resume TASK')}`,
  asked: {
    pause: (task: string) => `${task} pauses. To resume: ${formatCommand(`resume ${task}`)}`,
    resume: (task: string) => `${task} resumes.`,
    retry: (task: string) => `${task} resumes from where it failed.`,
    settle: (task: string) => `The pending updates of ${task} are discarded. This cannot be undone.`,
    stop: (task: string) => `${task} stops and cannot be resumed. To start over, give it to the agent again.`,
  },
  owned: (member: ShownMember) => {
    const { version = null, leads = false } = member;
    const facts = [
      formatProcess(member),
      ...(version === null ? [] : [`version ${version}`]),
      ...(leads ? ['finds new tasks'] : []),
    ];
    return `A daemon is running (${facts.join(', ')}).`;
  },
  notOwned: 'No daemon is running. Requests take effect when it starts.',
  notStarted: `No daemon is running. Start one with: ${formatCommand('run')}`,
  activity: ({ running, waiting, paused, inReview, needsInput, delivering, ...more }: ActivityCounts) => {
    const { queued, failed } = more;
    const counts = [
      ...(running > 0 ? [`${running} running`] : []),
      ...(waiting > 0 ? [`${waiting} waiting for the daemon`] : []),
      ...(queued > 0 ? [`${queued} queued`] : []),
      ...(delivering > 0 ? [`${delivering} with pending updates`] : []),
      ...(needsInput > 0 ? [`${needsInput} waiting for input`] : []),
      ...(paused > 0 ? [`${paused} paused`] : []),
      ...(inReview > 0 ? [`${inReview} in review`] : []),
      ...(failed > 0 ? [`${failed} failed in the last 24 hours`] : []),
    ];
    return counts.length === 0 ? 'Tasks: none running or paused.' : `Tasks: ${counts.join(', ')}.`;
  },
  ignoredMistakes: (problem: string) =>
    `Warning: ${problem}\nThis command ignores that. The daemon cannot start or reload until it is fixed.`,
  usedPlace: (place: string) => `This command uses the runs in ${place}.`,
  pauseIsOff: 'Pausing is turned off. Set pause_resume.enabled to true in the configuration.',
  taskOrAll: 'Name a task or use --all, not both.',
  taskNeeded: 'Name the task to stop, or use --all.',
  auditFailed: (reason: string) => `Could not write the audit log: ${reason}`,
  nothingRuns: 'There is no task to stop.',
  exported: (path: string) => `Wrote ${path}`,
  fileIsThere: (path: string) => `${path} already exists. Choose another file with --output.`,
  token: {
    none: 'There are no access tokens.',
    noName: `Name the user who logs in with it (at most 100 characters): ${formatCommand('token alice')}`,
    noDays: '--days must be a whole number from 1 to 3650.',
    made: (name: string, days: number) =>
      `Access token for ${name}, valid for ${plural(days, 'day')}. It is shown only once.`,
    replaced: (name: string) => `The earlier token of ${name} is revoked, and its sessions are ended.`,
    revoked: (name: string) => `Revoked the token of ${name} and ended its sessions.`,
    unknown: (name: string) => `${name} has no token.`,
  },
  unknownTask: (given: string) => `There is no task ${given}.`,
  hasNoRun: (task: string) =>
    `${task} is queued and has no run yet, so this command can change nothing. To withdraw the task, remove the label that gave it to the agent, or close it on the platform; to keep all tasks from starting, use "pause --all".`,
  ambiguousTask: (given: string) => `${given} matches more than one task. Give more of it.`,
  idle: {
    closed: (thread: string) => `${thread} is closed. Nothing was done.`,
    'not-given': (thread: string, { stateLabel, waitingLabel }: IdleThread) => {
      const shown = stateLabel === null ? '' : ` It has the label "${stateLabel}".`;
      const give =
        waitingLabel === null
          ? 'Give it to the agent first, by assignment or mention as configured.'
          : `To give it to the agent, add the label "${waitingLabel}".`;
      return `${thread} is not waiting for the agent.${shown} Nothing was done. ${give}`;
    },
    observed: (thread: string, { waitingLabel, directory }: IdleThread) => {
      const repeat =
        waitingLabel === null
          ? 'Give it to the agent again'
          : `Remove the label "${waitingLabel}" and add it again`;
      return `${thread} was already observed. Nothing was done. ${repeat}, or delete ${directory}.`;
    },
    paused: (thread: string) => `The run of ${thread} stays paused until a user acts. Nothing was done.`,
    'all-paused': (thread: string) =>
      `All tasks are paused, so nothing was done on ${thread}. Run "${formatCommand('resume')}" first.`,
    refused: (thread: string) =>
      `The agent did not start on ${thread}: the task was refused, or another run holds it. The log shows the reason.`,
  },
  threadHasNoRole: 'With --thread, one process polls and works. Omit --role.',
  candidates: 'Tasks:',
  noCandidates: 'There are no tasks yet.',
  cannotBeRetried: (task: string, status: string) =>
    `${task} can't be retried (${status}): only a task whose last run failed can be.`,
  hasEnded: (task: string, status: string) => `${task} is already finished (${status}).`,
  isRunning: (task: string) => `${task} is not paused: it is running.`,
  isResumed: (task: string, reason: string | null) =>
    `${task} is already resumed. It ${reason === null ? 'waits for the daemon' : `is queued: ${reason}`}.`,
  heldStill: (task: string, names: readonly string[]) =>
    `${task} resumes, but its held changes still lack permission. To give it, a user with write access comments on the issue or pull request: /allow ${names.join(' ')}`,
  isPaused: (task: string) => `${task} is already paused.`,
  headings: ['TASK', 'STATE', 'SINCE', 'ID', 'TITLE'],
  states: {
    running: 'running',
    waiting: 'waiting for the daemon',
    paused: 'paused',
    in_review: 'in review',
    delivering: 'updates pending',
    queued: 'queued',
    completed: 'completed',
    answered: 'answered',
    nothing_to_change: 'nothing to change',
    partial: 'partly done',
    needs_input: 'needs input',
    stopped: 'stopped',
    failed: 'failed',
    ended: 'ended',
  } as Readonly<Record<string, string>>,
  /** Added to the state of a paused run. */
  waitsFor: {
    answer: 'waiting for an answer',
    approval: 'waiting for approval',
    'follow-up': 'waiting for checks and reviews',
    held: 'waiting for permission to push held changes',
  } satisfies Readonly<Record<WaitsFor['kind'], string>>,
  pausedBy: (name: string) => `paused by ${name}`,
  allowHeld: (names: readonly string[]) =>
    `To allow: a user with write access comments on the issue or pull request: /allow ${names.join(' ')}`,
  heldChanges: (count: number) =>
    `waiting for permission to push ${count} held ${count === 1 ? 'change' : 'changes'}`,
  step: (step: number) => `step ${step}`,
  asking: { model: 'model call', agent: 'agent turn' },
  /** Added to a model call or an agent turn: the earlier ones got no answer. */
  attempt: (attempt: number) => `attempt ${attempt}`,
  lastSearch: ({ age, repository, others }: ShownSearch) =>
    others === 0
      ? `Last successful search for tasks: ${age} ago (${repository}).`
      : `Last successful search for tasks: ${age} ago or less in ${others + 1} repositories (longest ago: ${repository}).`,
  /** Added to the state of a queued task. */
  position: (position: number) => `number ${position}`,
  queuedSince: ({ since, position, reason }: ShownQueued) =>
    `Queued since ${since.slice(0, 16).replace('T', ' ')} UTC, number ${position}. ${reason}. It has no run yet.`,
  notAsked: (reason: string) => `Current steps and queue are unknown: ${reason}.`,
  notListening: 'To see current steps and the queue here, set http.port in the configuration.',
  requestsLeft: ({ platform, left, limit, reset }: ShownRequests) =>
    `Requests to ${platform}: ${left ?? 'unknown'}${limit === null ? '' : ` of ${limit}`} left${reset === null ? '' : `, resets at ${reset}`}`,
  noneMatch: 'No task matches.',
  noRuns: 'No tasks yet.',
  moreRuns: 'There are more. List them with --limit, or narrow the list with --state, --since or --text.',
  damaged: (name: string, reason: string) => `Cannot read ${name}: ${reason}`,
  problem: ({ what, facts, reason }: ShownProblem) =>
    `Problem: ${what}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}${reason === null ? '' : `: ${reason}`}`,
  notices: (shown: readonly string[], others: number) =>
    `Notices: ${shown.join('; ')}${others === 0 ? '' : `; ${others} more (see --json)`}`,
  process: formatProcess,
  lasting: (duration: string) => `for ${duration}`,
  expected: (duration: string) => `about ${duration} left`,
  changedTool: (tool: string) =>
    `The MCP server changed or added ${tool}. Runs cannot use it until you accept it. Accept it with: agent-daemon accept ${tool}`,
  patternFinds: (pattern: string, count: number, duration: string) =>
    `${pattern} matches ${count === 1 ? '1 repository' : `${count} repositories`} (checked ${duration} ago)`,
  since: (duration: string) => `${duration} ago`,
  summaryOf: (from: number, to: number) => `summary of messages ${from} to ${to}`,
  delivered: (count: number) => `with ${plural(count, 'comment')}`,
  tokens: (input: number, output: number) => `${input} tokens in, ${output} out`,
  toolStarted: 'started',
  agentSession: (agent: string | null) => `agent session${agent === null ? '' : ` (${agent})`}`,
  agentPlan: 'plan of the agent',
  inheritedDecisions: 'inherited decisions',
  prepared: (calls: number) =>
    calls === 0 ? 'pre-planning, not called' : `pre-planning${calls === 1 ? '' : `, called ${calls} times`}`,
  show,
  statistics: ({ modelCalls, toolCalls, tokens, cachedInputTokens = 0, cost, duration }: RunStatistics) =>
    `${plural(modelCalls, 'model call')}, ${plural(toolCalls, 'tool call')}, ${tokens} tokens${cachedInputTokens > 0 ? ` (${cachedInputTokens} from the cache)` : ''}, ${duration}${cost === null ? '' : `, cost ${cost}`}`,
  help,
  accept: {
    accepted: (repository: string) => `Accepted ${repository}. Its waiting tasks begin at the next attempt.`,
    notRefused: (repository: string, refused: readonly string[]) =>
      `No repository named ${repository} waits to be accepted.${refused.length === 0 ? '' : ` Waiting: ${refused.join(', ')}.`}`,
    acceptedTool: (tool: string) =>
      `Accepted ${tool} as its MCP server described it last. Calls work again; restart the daemon if the tool was not offered.`,
    toolNotRefused: (tool: string, refused: readonly string[]) =>
      `No MCP tool named ${tool} waits to be accepted.${refused.length === 0 ? '' : ` Waiting: ${refused.join(', ')}.`}`,
  },
  budget: {
    noPrices: 'Costs are not tracked. Set prices in llm.prices first.',
    taskNeeded: 'Name the task whose limit --set or --clear changes.',
    scopes: {
      day: (day: string) => `Today (${day})`,
      person: (person: string) => `Tasks started by ${person}, all days`,
      repository: (repository: string) => `Tasks in ${repository}, all days`,
    },
    sharedSpent: (amount: string, presumed: string | null) =>
      `${amount} spent${presumed === null ? '' : ` (including an estimated ${presumed} for interrupted calls)`}`,
    sharedReserved: (amount: string) => `${amount} reserved for calls in progress`,
    sharedLeft: (left: string, limit: string) => `${left} of ${limit} left`,
    noLimit: 'no limit',
    resets: (at: string) => `resets at ${at}`,
    neverResets: 'never resets',
    setOrClear: 'Use --set or --clear, not both.',
    noAmount: (given: string) => `"${given}" is not an amount. Write 5, 0.50 or "5 USD".`,
    spent: (task: string, amount: string) => `${task} has cost ${amount} so far (all runs).`,
    presumed: (amount: string) => `This includes an estimated ${amount} for interrupted calls.`,
    reserved: (amount: string) => `Reserved for calls in progress: ${amount}.`,
    configured: {
      run: (amount: string) => `Limit for each run: ${amount} (limits.max_cost.run).`,
      thread: (amount: string) => `Limit for this task: ${amount} (limits.max_cost.thread).`,
    },
    allowed: (amount: string) =>
      `Limit for this task: ${amount}, set here or by /budget. Limits per person, repository and day still apply.`,
    unlimited: 'This task has no limit of its own. Limits per person, repository and day still apply.',
    reached: 'The limit is reached: no more model calls are made.',
    retryHint: (task: string) =>
      `To continue a run that stopped at its limit: ${formatCommand(`retry ${task}`)}`,
  },
  audit: {
    headings: ['TIME', 'USER', 'VIA', 'ACTION', 'TASK OR OBJECT', 'RESULT', 'REASON'],
    sources: { web: 'web UI', cli: 'command line', comment: 'comment' },
    outcomes: { started: 'no result', accepted: 'accepted', refused: 'refused', failed: 'failed' },
    none: 'No actions yet.',
    noneMatch: 'No action matches.',
    more: 'There are more. List them with --limit, or narrow the list with --user, --task or --since.',
  },
  storage: {
    usage: `Use: ${formatCommand('storage check')}, or ${formatCommand('storage migrate --from files --to postgres')}, or the other way round.`,
    places: { running: 'running', paused: 'paused', completed: 'ended' },
    /** Shown instead of a run. */
    beside: 'not in a run',
    checked: ({ checked, damaged }: Readonly<Record<'checked' | 'damaged', number>>, place: string) =>
      `Verified ${plural(checked, 'record')} in ${place}: ${damaged === 0 ? 'none is damaged' : `${damaged} damaged`}.`,
    noDatabase: 'No database is configured. Add storage: { postgres: {} } to the configuration first.',
    copied: ({ copied, there, left, notes, accounts }: CopiedCounts, place: string) =>
      `Copied ${plural(copied, 'run')}, ${plural(notes, 'note')} and ${plural(accounts, 'spending account')} to ${place}. Already there: ${there}. Skipped: ${left}.\nDaemons use the storage that the configuration names.`,
    withoutSnapshot: (runs: number) =>
      `The uncommitted changes of ${plural(runs, 'unfinished run')} exist only in the database. These runs resume on a machine that has their worktree, or from the last push.`,
  },
  labels: {
    none: 'No repository is configured.',
    exist: (repository: string) => `${repository}: all labels exist`,
    created: (repository: string, labels: string) => `${repository}: created ${labels}`,
    missing: (repository: string, labels: string) => `${repository}: missing ${labels}`,
    fixAccess: 'Give the token access to this repository, or create the labels there yourself.',
    unused: (platform: string, trigger: string) => `${platform}: no labels needed (trigger: ${trigger})`,
    unsupported: (platform: string) => `${platform}: create the labels yourself; the adapter cannot do it`,
  },
  /** Texts of `history`, `purge` and `migrate`. */
  past: {
    headings: ['ENDED', 'STATUS', 'ID', 'DEPTH', 'INHERITED', 'SUMMARY'],
    none: (task: string) => `There are no runs of ${task}.`,
    unfinished: 'not finished',
    noSummary: '(no summary)',
    refused: (command: string) => `nothing (/${command})`,
    tokens: (count: number) => `${count} tokens`,
    mustEnd: (task: string) =>
      `A run of ${task} is not finished. Stop it first: ${formatCommand(`stop ${task}`)}`,
    nothingKept: (task: string) => `Nothing is stored for ${task}.`,
    confirm: (task: string, runs: number) =>
      `Delete all stored data of ${task} (${plural(runs, 'run')})? This cannot be undone. [y/N]`,
    yesNeeded: 'Cannot ask for confirmation here. Use --yes to delete without asking.',
    notPurged: 'Nothing was deleted.',
    purged: (task: string, runs: number) => `Deleted ${plural(runs, 'run')} of ${task}.`,
    rows: { planned: 'to migrate', migrated: 'migrated', current: 'up to date', left: 'skipped' },
    inferred: 'status inferred from its summaries',
    counts: (
      { migrated, current, left }: Readonly<Record<MigratedRun['kind'], number>>,
      { applied }: { readonly applied: boolean },
    ) => `${migrated} ${applied ? 'migrated' : 'to migrate'}, ${current} up to date, ${left} skipped.`,
    noDirectory: (path: string) => `There is no directory "${path}".`,
    expired: (runs: number, days: number) =>
      `${runs} of them finished more than ${days} days ago. No run inherits from them, and the daemon deletes them when it starts. To keep them, raise context_inheritance.context_expiry_days first.`,
    applyHint: `Nothing was changed. To migrate: ${formatCommand('migrate --apply')}`,
    indexed: (runs: number) => `The index contains ${plural(runs, 'run')}.`,
  },
};

/** Texts of the command line in one language. */
export type CliTexts = typeof en;
