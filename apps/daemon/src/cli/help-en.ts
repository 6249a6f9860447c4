import type { HelpTexts } from './help-texts.ts';

/** English. */
export const helpEn: HelpTexts = {
  titles: {},
  program: 'Finds labelled issues and pull requests, works on them with a model and tools, and reports back.',
  afterError: (command) => `(${command} --help shows what there is)`,
  version: 'show the version',
  help: 'show this help',
  helpCommand: 'show the help of a command',
  examples: `
Examples:
  agent-daemon init                         write a configuration, with questions
  agent-daemon doctor                       see what still has to be mended
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
  history: 'show the runs of a task, what each took over and what it left',
  purge: 'remove everything that is kept of a task',
  purgeYes: 'ask nothing',
  purgeExamples: `
Removes the directories of its runs, and what the index says of them. Needs the daemon to have ended.

Exit codes: 0 removed; 1 not removed: a run has not ended, a daemon is at work, or you said no.`,
  migrate: 'make the runs of the earlier program known, and build the index',
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
✓ works   ! works, but look at it   ✗ has to be mended
Nothing is changed: what needs write access is asked with requests that are refused for their content.

Exit codes: 0 nothing has to be mended; 1 something has to.`,
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
  initBaseUrl: 'API address of a server of your own',
  initPreset: 'which kind of model endpoint',
  initModel: 'name of the model',
  initLlmUrl: 'address of the model endpoint',
  initApi: 'which API the endpoint speaks',
  initForce: 'overwrite files that are there',
  initYes: 'ask nothing; take what is given and defaults',
};
