import type { StorageMember } from '@agent/run-store';
import type { CopiedRuns, MigratedRun } from '@agent/run-store/migration';

interface RunStatistics {
  readonly modelCalls: number;
  readonly toolCalls: number;
  readonly tokens: number;
  readonly cachedInputTokens?: number | undefined;
  readonly costMicros?: number | undefined;
  readonly duration: string;
}

type CopiedCounts = Omit<CopiedRuns, 'left'> & { readonly left: number };

/** Texts of the command line in English. */
export const en = {
  pausedAll: (place: string) =>
    `All tasks pause at their next step, and none begins, while the pause signal is set:\n  ${place}\nTo go on: agent-daemon resume`,
  resumedAll: (place: string) =>
    `Removed the pause signal: ${place}\nTasks go on; those that were paused by name stay so until "agent-daemon resume TASK".`,
  nothingToResume: (place: string) =>
    `Nothing to undo: no pause signal is set (${place}). "agent-daemon resume TASK" lets a single task go on.`,
  asked: {
    pause: (task: string) => `${task} pauses at its next step. To go on: agent-daemon resume ${task}`,
    resume: (task: string) => `${task} goes on.`,
    retry: (task: string) => `${task} goes on from where it failed.`,
    settle: (task: string) => `What ${task} could not do on its platform is given up, for good.`,
    stop: (task: string) => `${task} stops at its next step, for good. A new label begins a new task.`,
  },
  owned: ({ pid, host }: StorageMember, leads: boolean) =>
    `A daemon works here (process ${pid} on ${host}${leads ? ', which looks for tasks' : ''}).`,
  notOwned: 'No daemon works here now; what is asked takes effect when one starts.',
  pauseIsOff: 'Pausing is switched off: set pause_resume.enabled to true in the configuration.',
  taskOrAll: 'Name a task or give --all, not both.',
  taskNeeded: 'Name the task to stop, or give --all.',
  nothingRuns: 'There is no task to stop.',
  exported: (path: string) => `Written: ${path}`,
  fileIsThere: (path: string) => `${path} is there already. Name another file with --output.`,
  token: {
    none: 'Nobody has a token.',
    noName: 'Name who logs in with it (at most 100 characters): agent-daemon token alice',
    noDays: '--days takes a whole number from 1 to 3650.',
    made: (name: string, days: number) =>
      `The token of ${name} for the page, for ${days} days. It is shown this once; an earlier one of that name is over.`,
    revoked: (name: string) =>
      `The token of ${name} lets nobody in any more. Logins that it has made are over.`,
    unknown: (name: string) => `${name} has no token.`,
  },
  unknownTask: (given: string) => `There is no task ${given}.`,
  ambiguousTask: (given: string) => `${given} could be more than one task. Give more of it.`,
  candidates: 'There are:',
  noCandidates: 'There are no tasks at all.',
  cannotBeRetried: (task: string, status: string) =>
    `${task} cannot be gone on from (${status}): that takes a last run that failed.`,
  hasEnded: (task: string, status: string) => `${task} has ended already (${status}).`,
  isRunning: (task: string) => `${task} is not paused: it is running.`,
  isPaused: (task: string) => `${task} is paused already.`,
  signaled: (place: string) =>
    `Everything is paused: the pause signal is set (${place}). "agent-daemon resume" removes it.`,
  headings: ['TASK', 'STATE', 'SINCE', 'ID', 'TITLE'],
  states: {
    running: 'running',
    waiting: 'waits for a start',
    paused: 'paused',
    completed: 'completed',
    partial: 'completed in part',
    failed: 'failed',
    stopped: 'stopped',
    ended: 'ended',
  } as Readonly<Record<string, string>>,
  step: (step: number) => `step ${step}`,
  queued: (count: number, hold: { readonly reason: string; readonly duration: string } | null) =>
    `Waiting for their turn: ${count}${hold === null ? '' : ` (held back by ${hold.reason}, for ${hold.duration} at least)`}.`,
  notAsked: (reason: string) => `Steps and queue are not known: ${reason}.`,
  noneMatch: 'No task matches.',
  noRuns: 'No tasks yet.',
  damaged: (name: string, reason: string) => `Cannot be read: ${name}: ${reason}`,
  notWell: (part: string, { reason, since }: { readonly reason: string; readonly since: string }) =>
    `Not well: ${part} (since ${since}): ${reason}`,
  since: (duration: string) => `${duration} ago`,
  summaryOf: (from: number, to: number) => `summary of messages ${from} to ${to}`,
  delivered: (count: number) => (count === 1 ? 'brings 1 comment' : `brings ${count} comments`),
  tokens: (input: number, output: number) => `${input} tokens in, ${output} out`,
  toolStarted: 'began',
  agentSession: (agent: string | null) => `session of the agent${agent === null ? '' : ` ${agent}`}`,
  agentPlan: 'plan of the agent',
  prepared: (calls: number) =>
    calls === 0 ? 'pre-planning, not called' : `pre-planning${calls === 1 ? '' : `, called ${calls} times`}`,
  notEnded: 'This run has not ended.',
  outcome: 'Outcome',
  statistics: ({
    modelCalls,
    toolCalls,
    tokens,
    cachedInputTokens = 0,
    costMicros = 0,
    duration,
  }: RunStatistics) =>
    `${modelCalls} model calls, ${toolCalls} tool calls, ${tokens} tokens${cachedInputTokens > 0 ? ` (${cachedInputTokens} from the cache)` : ''}, ${duration}${costMicros > 0 ? `, cost ${costMicros / 1_000_000}` : ''}`,
  /** Texts of `--help`; a command's own begin with its name. */
  help: {
    /** Titles of the sections that commander writes, by its own words for them. */
    titles: {} as Readonly<Record<string, string>>,
    program:
      'Finds labeled issues and pull requests, works on them with a model and tools, and reports back.',
    afterError: (command: string) => `(${command} --help shows what there is)`,
    version: 'show the version',
    help: 'show this help',
    helpCommand: 'show the help of a command',
    examples: `
Examples:
  agent-daemon init                         write a configuration, with questions
  agent-daemon doctor                       see what still has to be fixed
  agent-daemon run                          look for tasks every poll_interval_seconds and run them
  agent-daemon run --once                   run what is waiting, then end
  agent-daemon status                       what runs, is paused and has ended
  LLM_MODEL=qwen3 agent-daemon run          with another model than the configuration names

Secrets come from the environment only (GITHUB_TOKEN, OPENAI_API_KEY, …), or from a file .env beside the configuration.
Ctrl-C once: the steps that are running are finished and saved. Twice: ends at once; the next start goes on from the journal.

Exit codes: 0 done; 1 something could not be done, the last lines say what; 130 or 143 ended by Ctrl-C or SIGTERM.`,
    config: 'the configuration',
    json: 'for programs: JSON instead of text',
    run: 'find tasks, queue them, run them',
    once: 'end when nothing is left to do',
    noLive: 'plain lines, without the view of the tasks below them',
    logFormat: 'how log lines look',
    hangup:
      'what SIGHUP does: read the configuration again, or end; auto ends a daemon that is attached to a terminal',
    role: 'only look for tasks, or only work on them, where processes share a database',
    pause: 'pause everything, or one task, at the next step',
    pauseExamples: `
Examples:
  agent-daemon pause                  everything, until "agent-daemon resume"
  agent-daemon pause acme/shop#42     one task, until "agent-daemon resume acme/shop#42"

Exit codes: 0 asked; 1 no such task, or it cannot be paused.`,
    resume: 'let everything, or one task, go on',
    resumeExamples: `
Examples:
  agent-daemon resume                 takes back "agent-daemon pause"
  agent-daemon resume 3f2a            one task, by the beginning of its id

Exit codes: 0 asked; 1 no such task, or it is not paused.`,
    retry: 'go on from where a task failed, with limits of its own',
    retryExamples: `
Examples:
  agent-daemon retry acme/shop#42     the same as the comment "/retry" on its thread

Exit codes: 0 asked; 1 no such task, or its last run did not fail.`,
    settle: 'give up what a task could not do on its platform',
    settleExamples: `
Examples:
  agent-daemon status                 says what is open, since when, why, and when it is tried next
  agent-daemon settle acme/shop#42    stops trying; comments, labels and branches stay as they are

Exit codes: 0 asked; 1 nothing of such a task is open.`,
    stop: 'end a task for good, at its next step',
    stopExamples: `
Examples:
  agent-daemon stop https://github.com/acme/shop/issues/42
  agent-daemon stop --all             everything that runs or is paused

Exit codes: 0 asked; 1 no such task, or it has ended.`,
    task: 'id or its beginning, owner/repo#42, key, or address of the thread',
    all: 'everything, as without a task',
    stopAll: 'everything that runs or is paused',
    status: 'show what runs, is paused and has ended',
    onlyState: 'only runs in that state',
    onlyPlatform: 'only runs on that platform: github, gitlab, or the name of your own',
    onlyRepository: 'only runs in that repository: acme/shop',
    onlyTask: 'only runs of that task',
    show: 'show what happened in a run',
    showRun: 'id of a run, or its beginning (4 characters or more)',
    history: 'show the runs of a task, what each inherited and what it left',
    budget: 'show what a task has cost, and what it may cost',
    budgetSet: 'amount that all its runs together may cost: 5, 0.50 or "5 USD"',
    budgetClear: 'take back what was set here or by /budget',
    budgetExamples: `
Examples:
  agent-daemon budget acme/shop#42            what it has cost and may cost
  agent-daemon budget acme/shop#42 --set 5    the same as the comment "/budget 5" on its thread, without a bound

Exit codes: 0 shown or set; 1 no such task, no amount, or nothing has a price.`,
    token: 'make a token by which somebody logs in to the page',
    tokenName: 'who logs in with it',
    tokenDays: 'days until it is over',
    tokenList: 'list who has one, and until when',
    tokenRevoke: 'take the token of that name back',
    export: 'write one run as a file of HTML that needs nothing else',
    exportOutput: 'file to write; one that is there is not overwritten (default: run-ID.html)',
    demo: 'run a demonstration on a simulated GitHub, on this machine only; needs @agent/simulators',
    demoVerbose: 'print the log instead of the issue',
    purge: 'remove everything that is kept of a task',
    purgeYes: 'ask nothing',
    purgeExamples: `
Removes the directories of its runs, and what the index says of them. Needs the daemon to have ended.

Exit codes: 0 removed; 1 not removed: a run has not ended, a daemon is at work, or you said no.`,
    migrate: 'make the runs of the earlier program known, and build the index',
    storage: 'copy all runs from files to the database, or back',
    storageAction: 'migrate',
    storagePlace: 'files or postgres',
    storageExamples: `
Examples:
  agent-daemon storage migrate --from files --to postgres
  agent-daemon storage migrate --from postgres --to files

No daemon may work there meanwhile. Nothing is removed at the source; it may be ended and repeated.
Exit codes: 0 all is there; 1 a run was left.`,
    migrateDirectory: 'directory of runs (default: the configured one)',
    migrateApply: 'do it; without this it only says what it would do',
    migrateExamples: `
Examples:
  agent-daemon migrate                      says what it would do
  agent-daemon migrate --apply              does it; may be repeated
  agent-daemon migrate ./old/contexts

What cannot be migrated is named and left as it is. Exit codes: 0 nothing is left; 1 something is.`,
    doctor: 'check configuration, token, repositories, labels, model, git and sandbox',
    doctorExamples: `
✓ works   ! works, but look at it   ✗ has to be fixed
Nothing is changed: what needs write access is asked with requests that are refused for their content.

Exit codes: 0 nothing has to be fixed; 1 something has to.`,
    noModel: 'do not call the model',
    init: 'write a configuration, with questions or from options',
    initExamples: `
Examples:
  agent-daemon init
  agent-daemon init --platform github --repository acme/shop --llm-preset openai --model gpt-5-mini --yes

Secrets are never asked for: .env.example shows where they go.
Exit codes: 0 written; 1 not written, for instance because the file is there (--force overwrites it).`,
    initPlatform: 'where the tasks are',
    initRepository: 'owner/repo or group/project; several with commas',
    initTrigger: 'how people give work to the agent',
    initBaseUrl: 'API address of a server of your own',
    initPreset: 'which kind of model endpoint',
    initModel: 'name of the model',
    initLlmUrl: 'address of the model endpoint',
    initApi: 'which API the endpoint speaks',
    initApp: 'work as a GitHub App of this name: writes github-app.html, which makes one',
    initForce: 'overwrite files that are there',
    initYes: 'ask nothing; take what is given and defaults',
  },
  budget: {
    noPrices: 'Nothing is counted: llm.prices names no price. See docs/guides/money.md.',
    setOrClear: 'Give --set or --clear, not both.',
    noAmount: (given: string) => `${given} is no amount: write 5, 0.50 or "5 USD".`,
    spent: (task: string, amount: string) => `${task} has cost ${amount}, all its runs together.`,
    presumed: (amount: string) => `Of it ${amount} presumed for calls that were cut short.`,
    reserved: (amount: string) => `Reserved for calls under way: ${amount}.`,
    configured: {
      run: (amount: string) => `Each of its runs may cost ${amount} (limits.max_cost.run).`,
      thread: (amount: string) => `It may cost ${amount} in all (limits.max_cost.thread).`,
    },
    allowed: (amount: string) =>
      `It may cost ${amount} in all, as was said here or by /budget; limits of a person, a repository and a day hold beside.`,
    unlimited: 'Nothing limits its runs but what holds for a person, a repository or a day.',
    reached: 'That is reached: no further call is made.',
    retryHint: (task: string) => `A run that ended at its limit goes on after: agent-daemon retry ${task}`,
  },
  storage: {
    usage: 'Say what to do: agent-daemon storage migrate --from files --to postgres, or the other way round.',
    noDatabase: 'The configuration names no database: add storage: { postgres: {} } first.',
    copied: (counts: CopiedCounts, place: string) =>
      `${counts.copied} runs copied, ${counts.there} there already, ${counts.left} left as they are, ${counts.notes} notes and ${counts.accounts} accounts of spending copied to ${place}. The configuration says where daemons work.`,
    withoutSnapshot: (runs: number) =>
      `${runs} unfinished runs have changed files in the database alone: they resume on a machine that has their worktree, or from what was pushed.`,
  },
  /** Texts of `history`, `purge` and `migrate`. */
  past: {
    headings: ['ENDED', 'STATUS', 'ID', 'DEPTH', 'INHERITED', 'SUMMARY'],
    none: (task: string) => `No run of ${task} is kept.`,
    unfinished: 'not ended',
    noSummary: '(no summary)',
    refused: (command: string) => `nothing (/${command})`,
    tokens: (count: number) => `${count} tokens`,
    mustEnd: (task: string) => `A run of ${task} has not ended. End it first: agent-daemon stop ${task}`,
    nothingKept: (task: string) => `Nothing is kept of ${task}.`,
    confirm: (task: string, runs: number) =>
      `Remove everything that is kept of ${task} (${runs} ${runs === 1 ? 'run' : 'runs'})? It cannot be undone. [y/N]`,
    yesNeeded: 'Nobody can be asked here. Give --yes to remove without a question.',
    notPurged: 'Nothing was removed.',
    purged: (task: string, runs: number) => `Removed ${runs} ${runs === 1 ? 'run' : 'runs'} of ${task}.`,
    rows: { migrated: 'migrates', current: 'up to date', left: 'left as it is' },
    inferred: 'status concluded from its summaries',
    counts: ({ migrated, current, left }: Readonly<Record<MigratedRun['kind'], number>>) =>
      `${migrated} to migrate or migrated, ${current} up to date, ${left} left as they are.`,
    noDirectory: (path: string) => `There is no directory "${path}".`,
    expired: (runs: number, days: number) =>
      `${runs} of them ended more than ${days} days ago: no run inherits from them, and the daemon removes them when it starts. To keep them, raise context_inheritance.context_expiry_days first.`,
    applyHint: 'Nothing was changed. To do it: agent-daemon migrate --apply',
    indexed: (runs: number) => `The index has ${runs} ${runs === 1 ? 'run' : 'runs'}.`,
  },
};

/** Texts of the command line in one language. */
export type CliTexts = typeof en;
