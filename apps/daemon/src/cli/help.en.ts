import { formatCommand } from '../command-name.ts';
import { formatExamples } from './format-examples.ts';

/** Texts of `--help` in English. The texts of a command start with its name. */
export const help = {
  /** Section titles, by commander's own word for them. */
  titles: {} as Readonly<Record<string, string>>,
  program: 'Runs a coding agent on issues and pull requests, and reports back in comments.',
  afterError: (command: string) => `(Run "${command} --help" to see how to use it.)`,
  version: 'show the version',
  help: 'show this help',
  helpCommand: 'Show the help of a command',
  examples: `
Examples:
${formatExamples([
  ['init', 'Create a configuration step by step'],
  ['doctor', 'Check the setup'],
  ['run', 'Poll for tasks and run them'],
  ['run --once', 'Run the waiting tasks, then exit'],
  ['status', 'Show what the daemon is doing and which tasks wait'],
])}

Use another model than the configured one:
  LLM_MODEL=qwen3 ${formatCommand('run')}

Secrets are read from environment variables (GITHUB_TOKEN, OPENAI_API_KEY, …) or from a .env file next to the configuration.
Press Ctrl-C once to abort the current steps and save the runs; the daemon exits within ten seconds. Press it twice to exit immediately. The next start resumes the runs.

Exit codes: 0 success; 1 failure, see the last lines; 130 or 143 ended by Ctrl-C or SIGTERM.`,
  config: 'path of the configuration file',
  json: 'print JSON instead of text',
  run: 'Find tasks and run them',
  once: 'exit when no task is left to run',
  thread:
    'run only this issue, pull request or merge request, then exit: URL, owner/repo#42, group/project!42, or key',
  observe: 'write nothing on the platforms: print comments, labels, pushes and drafts instead',
  runExamples: `
Examples:
${formatExamples([
  ['run', 'Poll for tasks and run them'],
  ['run --once', 'Run the waiting tasks, then exit'],
  ['run --thread https://github.com/acme/shop/issues/42', 'Run or resume one task, then exit'],
  ['run --observe --thread acme/shop#42', 'Show what the agent would do on one issue'],
])}

Exit codes: 0 success; 1 a task did not succeed, or something was not available; 3 nothing was to do on the issue or pull request of
--thread, standard error shows why; 75 another process took over the directory of runs; 130 or 143 ended by Ctrl-C or SIGTERM.`,
  noLive: 'print log lines only, without the live list of tasks',
  logFormat: 'format of the log lines',
  hangup:
    'effect of SIGHUP: reload the configuration, or end the daemon; auto ends it only if it is attached to a terminal',
  role: 'poll for new tasks, work on tasks, or both; for several processes that share a database',
  job: 'Run the job that GitHub Actions or GitLab CI started for an event',
  jobPreset: 'preset of the model, if there is no configuration file',
  jobRecord: 'place of the record: a ref of the repository, from which the next job resumes the run, or none',
  jobTimeLimit: 'minutes until the platform ends the job; the run pauses 5 minutes before',
  jobExamples: `
Examples:
${formatExamples([['job --time-limit 60', 'In a workflow whose job has "timeout-minutes: 60"']])}

Reads the event from GITHUB_EVENT_PATH, or from TRIGGER_PAYLOAD. AGENT_RECORD_KEY encrypts the record.

Exit codes: 0 done, or nothing to do for this event; 1 failure, or an event that is not supported; 75 another job has taken the record.`,
  pause: 'Pause a task, or all tasks',
  pauseExamples: `
Examples:
${formatExamples([
  ['pause', `Pause all tasks until "${formatCommand('resume')}"`],
  ['pause acme/shop#42', 'Pause one task'],
])}

Exit codes: 0 requested; 1 unknown task, or it can't be paused.`,
  resume: 'Resume a paused task, or all tasks',
  resumeExamples: `
Examples:
${formatExamples([
  ['resume', `Undo "${formatCommand('pause')}"`],
  ['resume 3f2a', 'Resume one task, by the first characters of its ID'],
])}

Exit codes: 0 requested; 1 unknown task, or it isn't paused.`,
  retry: 'Retry a failed task from where it failed, with fresh limits',
  retryExamples: `
Examples:
${formatExamples([['retry acme/shop#42', 'Same as the comment "/retry" on that issue or pull request']])}

Exit codes: 0 requested; 1 unknown task, or its last run didn't fail.`,
  settle: 'Discard the pending updates of a task',
  settleExamples: `
Pending updates are comments, labels and branches that the platform did not accept. The daemon retries them until then.

Examples:
${formatExamples([
  ['status', 'Show pending updates, their reason and the next retry'],
  ['settle acme/shop#42', 'Stop retrying; comments, labels and branches stay as they are'],
])}

Exit codes: 0 requested; 1 this task has no pending updates.`,
  stop: 'Stop a task, or all tasks (cannot be resumed)',
  stopExamples: `
Examples:
${formatExamples([
  ['stop https://github.com/acme/shop/issues/42', 'Stop one task'],
  ['stop --all', 'Stop all running and paused tasks'],
])}

Exit codes: 0 requested; 1 unknown task, or it is already finished.`,
  task: 'ID or its first characters, owner/repo#42, key, or URL of the issue or pull request',
  all: 'all tasks (default if no task is given)',
  stopAll: 'all running and paused tasks',
  status: 'Show what the daemon is doing and which tasks wait',
  onlyState: 'only runs in this state',
  onlyPlatform: 'only runs on this platform: github, gitlab, or the name of a custom platform',
  onlyRepository: 'only runs in this repository: acme/shop',
  onlyTask: 'only runs of this task',
  onlyText: 'only runs with this text in name, title, user or reason',
  since: 'only runs that changed their state within this time: 90m, 24h, 7d',
  limit: 'number of ended runs to list (default: 10; with --json 1000)',
  show: 'Show a run: state, outcome, what to do next, and its history',
  showFull: 'show prompts, patches and long texts whole',
  showErrors: 'show only the failed calls of tools',
  showRun: 'ID of a run, or its first characters (at least 4), or a task',
  history: 'Show all runs of a task, and the context that each inherited',
  accept: 'Accept a repository that took over an old name, or a changed or added MCP tool',
  acceptRepository: 'repository, such as acme/shop, or MCP tool, such as mcp:tracker/list',
  audit: 'Show who did what: acts in the web UI, on the command line and by comments',
  auditUser: 'only acts of this user',
  auditTask:
    'only acts on this task, such as acme/shop#42, or on this run, by the first characters of its ID',
  auditSince: 'only acts within this time: 90m, 24h, 7d',
  auditLimit: 'number of acts to list (default: 50; with --json 1000)',
  auditExamples: `
Examples:
${formatExamples([
  ['audit --since 24h', 'Show who did what within the last day'],
  ['audit --user alice --task acme/shop#42', 'Show what alice did with this task'],
])}

Lists the acts of the last twelve months, the latest first. Exit code: 0.`,
  budget: 'Show the budgets of today, or show or set how much a task can cost',
  budgetTask:
    'ID or its first characters, owner/repo#42, key, or URL (default: budgets of the day, of persons and of repositories)',
  budgetSet: 'limit for all runs of the task together: 5, 0.50 or "5 USD"',
  budgetClear: 'remove the limit that was set here or by /budget',
  budgetExamples: `
Examples:
${formatExamples([
  ['budget', 'Show what today cost and what is left, per day, person and repository'],
  ['budget acme/shop#42', 'Show what it has cost, and its limit'],
  ['budget acme/shop#42 --set 5', 'Same as the comment "/budget 5", without its upper bound'],
])}

Exit codes: 0 shown or set; 1 unknown task, invalid amount, or no prices configured.`,
  token: 'Create an access token for the web UI',
  tokenName: 'user who logs in with it',
  tokenDays: 'days until it expires',
  tokenList: 'list users with a token, and when it expires',
  tokenRevoke: 'revoke the token of this user',
  export: 'Export a run as a self-contained HTML file, or the data of a person as JSON',
  exportOutput:
    'file to write; existing files are not overwritten (default: run-ID.html; for a person, standard output)',
  exportPerson: 'login of the person whose data are exported, of all runs',
  exportExamples: `
Examples:
${formatExamples([
  ['export acme/shop#42', 'Write the run as run-ID.html'],
  ['export --person alice --output alice.json', 'Write all that was written by, or names, alice'],
])}

Exit codes: 0 exported; 1 unknown task, or the file exists.`,
  personPlatform: 'platform of the person: github, gitlab, or the name of a custom platform',
  erase: 'Erase the name and the texts of a person from all stored data',
  erasePerson: 'login of the person',
  eraseExamples: `
Replaces them by a mark in runs that are finished, the audit log and other records, and revokes the person's access token for the web UI. With
storage in files, stop the daemon first. Runs that are not finished are listed and not changed. Can be repeated.

Examples:
${formatExamples([
  ['erase --person alice', 'Show how much is stored, ask, and erase'],
  ['erase --person alice --platform gitlab --yes', 'Erase the user of GitLab without asking'],
])}

Exit codes: 0 nothing of the person is left; 1 not erased, or something must be erased later.`,
  demo: 'Watch a complete run on a simulated GitHub on this machine (needs @agent/simulators)',
  demoVerbose: 'Print the log instead of the issue',
  rehearse: 'Play a whole run in a repository of yours, check each part, and clean up',
  rehearseRepository: 'repository to play in: owner/name, or group/project',
  rehearseCompare: 'compare the answers in a rehearsal.json with the simulators instead',
  rehearsePlatform: 'platform of the repository (default: the platform whose section lists it)',
  rehearsePerson:
    'variable with the token of a second account that plays the user (default: you do each step in the browser)',
  rehearseKeep: 'leave the issue, the draft, the branch and the labels',
  rehearseOutput: 'directory of rehearsal.json (default: the working directory)',
  rehearseYes: 'name of the repository, to confirm without a question',
  rehearseExamples: `
Opens an issue "Agent rehearsal" in the repository, and runs a daemon of its own on it with the configured model. While it works, a user
comments, edits, deletes, pauses, resumes, reviews and stops; the daemon is killed and started again. Other tasks are not touched.

Examples:
${formatExamples([
  ['rehearse --repository acme/sandbox', 'You play the user, in the browser'],
  [
    'rehearse --repository acme/sandbox --person-token-env PERSON_TOKEN --yes acme/sandbox',
    'Runs without questions',
  ],
  ['rehearse --compare rehearsal.json', 'Shows where your platform differs from the simulators'],
])}

Exit codes: 0 no check failed; 1 a check failed, or the rehearsal could not begin; 130 ended by Ctrl-C.`,
  purge: 'Delete all stored data of a task',
  purgeYes: 'do not ask for confirmation',
  purgeExamples: `
Deletes the run directories of the task and their index entries. Stop the daemon first.

Exit codes: 0 deleted; 1 not deleted: a run is not finished, a daemon is running, or you answered no.`,
  migrate: 'Import the runs of the earlier Python program, and rebuild the index',
  storage: 'Verify everything that is stored, or copy it from files to the database or back',
  storageAction: 'check or migrate',
  storagePlace: 'files or postgres',
  storageExamples: `
Examples:
${formatExamples([
  ['storage check', 'Verify everything that is stored, also while daemons run'],
  ['storage migrate --from files --to postgres', 'Copy to the database'],
  ['storage migrate --from postgres --to files', 'Copy to files'],
])}

Before a copy, stop all daemons. Nothing is deleted at the source. You can interrupt and repeat the copy.
Exit codes: 0 no record is damaged, or everything is copied; 1 a record is damaged, or a run was skipped.`,
  migrateDirectory: 'directory of the runs (default: the configured one)',
  migrateApply: 'migrate; without it, only show what would change',
  migrateExamples: `
Examples:
${formatExamples([
  ['migrate', 'Show what would change'],
  ['migrate --apply', 'Migrate; can be repeated'],
  ['migrate ./old/contexts', 'Show what would change in another directory'],
])}

Runs that can't be migrated are listed and left unchanged. Exit codes: 0 nothing was skipped; 1 a run was skipped.`,
  doctor: 'Check the configuration, tokens, repositories, labels, model, git and sandbox',
  doctorExamples: `
✓ works   ! works, but has a warning   ✗ must be fixed
Nothing is changed. Write access is tested with requests that are always rejected because of their content.

Exit codes: 0 nothing must be fixed; 1 something must be fixed.`,
  noModel: 'do not call the model',
  labels: 'Create the labels of the daemon in all configured repositories',
  labelsDryRun: 'show the missing labels without creating them',
  labelsExamples: `
Creates the label that starts a task, and the labels that show its state. Existing labels stay as they are.

Exit codes: 0 all labels exist; 1 a repository failed, its line shows why.`,
  init: 'Create a configuration, step by step or from options',
  initExamples: `
Examples:
${formatExamples([
  ['init', 'Answer questions in the terminal'],
  [
    'init --platform github --repository acme/shop --llm-preset openai --model gpt-5-mini --yes',
    'Ask nothing',
  ],
])}

You are never asked for secrets; .env.example shows where to put them.
Exit codes: 0 created; 1 not created, for example because the file exists (--force overwrites it).`,
  initPlatform: 'platform of the tasks',
  initRepository: 'owner/repo or group/project; separate several with commas',
  initTrigger: 'how users give tasks to the agent',
  initBaseUrl: 'API URL of GitHub Enterprise or self-managed GitLab',
  initPreset: 'model endpoint; by default a server on this machine, or OpenAI for its models',
  initModel: 'name of the model',
  initLlmUrl: 'URL of the model endpoint',
  initApi: 'API of the model endpoint',
  initApp: 'work as a GitHub App with this name: writes github-app.html, which creates the App',
  initAppWorkflows: 'have the App ask for workflows: write and actions: write, too',
  initForce: 'overwrite existing files',
  initCreateLabels: 'create the labels in all these repositories',
  initYes: 'ask nothing; use the given options and defaults',
};

/** Texts of `--help` in one language. */
export type HelpTexts = typeof help;
