import { formatCommand } from '../command-name.ts';
import type { PresetChoice } from './choose-preset.ts';

/** Preset that was chosen because no option names one. */
interface ChosenPreset extends PresetChoice {
  readonly model: string;
  readonly baseUrl: string;
}

const presetReasons: Readonly<Record<PresetChoice['reason'], (model: string) => string>> = {
  'has-model': (model) => `the server there has ${model}`,
  'runs-here': () => 'a model server runs there',
  'openai-name': (model) => `${model} is a model of OpenAI`,
  'openai-key': () => 'OPENAI_API_KEY is set',
  default: () => 'the default',
};

/** Texts of `init` in English. */
export const en = {
  questions: {
    platform: 'Which platform?',
    repositories: 'Which repositories? (owner/repo, separated by commas)',
    trigger: 'How do users start a task: by setting a label, by assigning the agent, or by mentioning it?',
    baseUrl: 'GitHub Enterprise or self-managed GitLab API URL?',
    preset: 'Which model endpoint?',
    model: 'Which model?',
    llmBaseUrl: 'Base URL of the model endpoint, if it is not the usual one?',
    createLabels: 'Create the labels that start a task and show its state in these repositories now?',
  },
  oneOf: (choices: string) => `Answer one of ${choices}.`,
  needed: 'An answer is required.',
  noRepository: (name: string) => `"${name}" must look like owner/repo or group/project, without a host.`,
  defaultsTo: (value: string) => `[${value}]`,
  none: 'none',
  yesOrNo: '(y/n) [y]',
  serverFound: (url: string, models: string) =>
    `Found a model server at ${url}${models === '' ? '' : `: ${models}`}`,
  presetChosen: ({ preset, reason, baseUrl, model }: ChosenPreset) =>
    `Model endpoint: ${preset} at ${baseUrl} (${presetReasons[reason](model)}). To change it, use --llm-preset, or llm.preset in the configuration.`,
  missing: (options: string) =>
    `Missing required options: ${options}. Pass them, or run "${formatCommand('init')}" in a terminal.`,
  exists: (files: string) => `Already there: ${files}. Nothing was written. Use --force to overwrite.`,
  written: (file: string) => `Wrote ${file}`,
  /** `names` are variables with secrets. */
  next: (names: string, areLabelsMissing: boolean) =>
    [
      'Next:',
      `  1. Put ${names === '' ? 'the secrets that the configuration names' : names} into the environment, or copy .env.example to .env and fill it in. Keep .env out of git.`,
      ...(areLabelsMissing ? [`  2. ${formatCommand('labels')}`] : []),
      `  ${areLabelsMissing ? 3 : 2}. ${formatCommand('doctor')}`,
      `  ${areLabelsMissing ? 4 : 3}. ${formatCommand('run')}`,
    ].join('\n'),
  /** One sentence each, in the output and in the configuration. */
  obstacles: {
    root: 'You are root, and the daemon refuses to run as root: use a dedicated account, or uncomment "allow_root: true" under tools.run_command.',
    'other-system':
      'Bubblewrap, which isolates commands, runs on Linux only: run the daemon in a Linux container with "sandbox: external" under tools.run_command, or set "sandbox: off" to run commands without isolation.',
    'bubblewrap-missing':
      'Bubblewrap, which isolates commands, is not installed, and the daemon does not start without it: install the package bubblewrap, or set "sandbox: external" (a container around the daemon isolates it) or "sandbox: off" (no isolation) under tools.run_command.',
    'bubblewrap-blocked':
      'Bubblewrap, which isolates commands, does not work here, and the daemon does not start without it: allow user namespaces, or set "sandbox: external" (a container around the daemon isolates it) or "sandbox: off" (no isolation) under tools.run_command.',
    'filter-refused':
      'This machine cannot filter system calls, and the daemon does not start without the filter: use a kernel with seccomp filters on x64 or arm64, or set "sandbox: external" (a container around the daemon isolates it) or "sandbox: off" (no isolation) under tools.run_command.',
  },
  aborted: 'Nothing was written.',
  /** Begins a sentence that ends in "has mistakes" and lists them. */
  notWritten: (file: string) => `Nothing was written: what you gave for ${file}`,
  appElsewhere: 'Only GitHub has Apps: omit --app, or use --platform github.',
  appPage: {
    title: (app: string) => `Create the GitHub App "${app}"`,
    forAccount: (owner: string) => `Create it in your own account (${owner})`,
    forOrganization: (owner: string) => `Create it in the organization ${owner}`,
    steps: (page: string, key: string) =>
      `In your browser:\n  1. Open ${page} and click a button. On the settings page of the new App, generate a private key and save it beside the configuration as ${key} (mode 600, out of git). Replace APP_ID in the configuration with the App ID.\n  2. On the same page, choose "Install App" and select the repositories.`,
  },
  /** Comment lines in the configuration. */
  comments: {
    head: [
      'Configuration of agent-daemon. Unknown keys and invalid values are errors at start.',
      'Relative paths start at this file. Secrets do not belong here: see .env.example.',
    ],
    repositories: 'Repositories whose issues and pull requests can become tasks.',
    baseUrl: 'API URL of your own server.',
    token: 'Variable that holds the token.',
    app: 'The GitHub App: its App ID, and its private key beside this file.',
    trigger:
      'How users start a task: with the first of the labels below (label), by assigning the account (assignment), or with @name in a comment (mention; comments from before the first start are ignored).',
    labels: 'Labels show the state of a task. With the trigger label, users set the first one.',
    preset: 'openai, lmstudio, or ollama: sets the usual address, API, and key.',
    model: 'LLM_MODEL in the environment overrides this.',
    llmBaseUrl: 'LLM_BASE_URL in the environment overrides this.',
    contextLength: 'Tokens of context that the server reports for the model.',
    api: 'responses or chat.',
    key: 'Variable that holds the API key of the endpoint.',
    locale: 'Language of comments: ja, en, or auto for the language of the issue.',
    poll: 'Seconds between checks for new tasks.',
    concurrency: 'Number of tasks that run at the same time.',
    limits: 'Limits that stop a run.',
    tools: 'Commands that the agent can run. The default is common build tools.',
    sandbox:
      'Isolation of commands. required: run them in bubblewrap, and refuse to start without it. external: you isolate the daemon, e.g. in a container. off: none.',
    network: 'Whether commands can reach the public internet, through a proxy of the daemon.',
    inheritance: 'By default, a run inherits the context of earlier runs of its issue.',
    planning:
      'By default, a run makes a plan first, verifies its result, and reports its progress. Without planning it makes fewer model calls.',
    http: 'GET /healthz, /readyz, /metrics, and /tasks.json, on this machine only.',
    webhooks: 'On if this variable and http.port are set. See docs/guides/webhooks.md.',
    secrets: [
      'Copy this file to .env beside the configuration, fill it in, and keep .env out of git.',
      'Variables of the environment override it.',
    ],
  },
};

/** Texts of `init` in one language. */
export type InitTexts = typeof en;
