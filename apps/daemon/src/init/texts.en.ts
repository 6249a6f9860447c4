/** Texts of `init` in English. */
export const en = {
  questions: {
    platform: 'Where are the tasks?',
    repositories: 'Which repositories? (owner/repo, several with commas)',
    trigger: 'How do people give work: by a label, by assigning the account, or by mentioning it?',
    baseUrl: 'API address of a server of your own?',
    preset: 'Which kind of model endpoint?',
    model: 'Name of the model?',
    llmBaseUrl: 'Address of the model endpoint, if it is not the usual one?',
  },
  oneOf: (choices: string) => `Answer one of ${choices}.`,
  needed: 'This one is needed.',
  noRepository: (name: string) => `"${name}" must look like owner/repo or group/project, without a host.`,
  defaultsTo: (value: string) => `[${value}]`,
  none: 'none',
  missing: (options: string) => `Not known yet: give ${options}, or run "agent-daemon init" on a terminal.`,
  exists: (files: string) => `There already: ${files}. Nothing was written; --force overwrites.`,
  written: (file: string) => `Wrote ${file}`,
  next: (names: string) =>
    `Next:\n  1. ${names === '' ? 'Where something needs a secret, put it' : `Put ${names}`} into the environment, or copy .env.example to .env and fill it in (keep .env out of git).\n  2. agent-daemon doctor\n  3. agent-daemon run`,
  /** One sentence each, in the output and in the configuration. */
  obstacles: {
    root: 'This account is root, for which the daemon does not start: start it from an account of its own, or take the "#" from "allow_root: true" under tools.run_command.',
    bubblewrap:
      'Bubblewrap does not work here, without which the daemon does not start: install the package bubblewrap and allow user namespaces, or write "sandbox: external" (in a container that keeps its commands in) or "sandbox: off" (nothing keeps them in) under tools.run_command.',
  },
  aborted: 'Nothing was written.',
  /** Begins a sentence that ends in "has mistakes" and lists them. */
  notWritten: (file: string) => `Nothing was written: what was given for ${file}`,
  appElsewhere: 'Apps are of GitHub: leave --app out, or give --platform github.',
  appPage: {
    title: (app: string) => `Make the GitHub App "${app}"`,
    forAccount: (owner: string) => `Make it in your own account (${owner})`,
    forOrganization: (owner: string) => `Make it in the organization ${owner}`,
    steps: (page: string, key: string) =>
      `In the browser:\n  1. Open ${page} and press a button. On the settings page of the new App generate a private key, save it beside the configuration as ${key} (mode 600, out of git), and put the App ID in the place of APP_ID.\n  2. On the same page choose "Install App", and the repositories.`,
  },
  /** Lines of comment in the configuration. */
  comments: {
    head: [
      'Configuration of agent-daemon. Unknown keys and invalid values are errors at start.',
      'Relative paths start at this file. Secrets never stand here: see .env.example.',
    ],
    repositories: 'Whose issues and requests may become tasks.',
    baseUrl: 'API address of a server of your own.',
    token: 'The variable that holds the token.',
    app: 'The App that works: its App ID, and the private key beside this file.',
    trigger:
      'How people give work: by the first of the labels below (label), by assigning the account (assignment), or by @name in a comment (mention; those from before the first start do not count).',
    labels: 'They show how far a task is; with the trigger label, the first one asks for it.',
    preset: 'openai, lmstudio or ollama: address, API and key as they are out of the box.',
    model: 'LLM_MODEL in the environment wins over this.',
    llmBaseUrl: 'LLM_BASE_URL in the environment wins over this.',
    api: 'responses or chat.',
    key: 'The variable that holds the key of the endpoint.',
    locale: 'Language of comments: ja, en, or auto for that of the thread.',
    poll: 'Seconds between two looks for tasks.',
    concurrency: 'Tasks at the same time.',
    limits: 'What ends a run that finds no end by itself.',
    tools: 'Names of the commands that may run; leave it out for common build tools.',
    sandbox:
      'With required bubblewrap keeps commands in, or the daemon does not start; external leaves it to a container, off to nobody.',
    network: 'Whether commands reach the network.',
    inheritance: 'A run inherits what earlier ones of its thread left, unless this is switched off.',
    planning:
      'A run makes a plan first, checks its result and says so as it goes on; without that it makes fewer model calls.',
    http: 'GET /healthz, /readyz, /metrics and /tasks.json, on this machine only.',
    webhooks: 'On as soon as this variable and http.port are set; docs/guides/webhooks.md says the rest.',
    secrets: [
      'Copy this file to .env beside the configuration, fill it in, and keep .env out of git.',
      'Variables of the environment win over it.',
    ],
  },
};

/** Texts of `init` in one language. */
export type InitTexts = typeof en;
