import type { OptionalRole } from '@agent/platforms/custom';
import type { EnvFileProblem } from '@agent/text/files';
import { remediesEn } from './remedies.en.ts';

/** Facts of an agent, with a name for people. */
interface AgentText {
  readonly name: string;
  readonly steering: string;
  readonly loadsSessions: boolean;
}

/** Capabilities that a model's server reports; null for what it does not report. */
interface ReportedCapabilities {
  /** Tokens of context. */
  readonly found: number | null;
  readonly toolCalls: boolean | null;
  readonly structuredOutput: boolean | null;
  readonly reasoning: boolean | null;
  readonly images: boolean | null;
}

/** Tokens of context: what the server reports, and what the settings name or their default is. */
interface ContextLengths {
  readonly found: number;
  readonly used: number;
  readonly isSet: boolean;
}

/** Limits on requests that the daemon keeps by itself. */
interface ShownBudgets {
  readonly primary: boolean;
  readonly secondary: boolean;
  /** Created an hour; null for no limit. */
  readonly contents: number | null;
}

interface ServerFacts {
  readonly version: string;
  /** Milliseconds. */
  readonly latency: number;
  /** Milliseconds by which the server's clock is ahead. */
  readonly difference: number;
}

/** Consequences of a role that an adapter lacks. */
const withoutRole: Readonly<Record<OptionalRole, string>> = {
  ownComments: 'two daemons with the same account could work on one task',
  labels: 'labels do not show the state of a task',
  labelEvents: 'it is unknown who set a label',
  history: 'no trigger: mention, and it is unknown who assigned or changed an issue',
  assignees: 'no trigger: assignment',
  permissions: 'only the accounts in trust can give commands',
  repository: 'the agent can only answer, without files',
  changeRequests: 'the result is a branch',
  reactions: 'comments are not marked as seen',
};

const envLine: Readonly<Record<EnvFileProblem['kind'], (name: string) => string>> = {
  'no-equals': () => 'the line has no "=" and is ignored',
  'invalid-name': () => 'the text before "=" is not the name of a variable, so the line is ignored',
  'unclosed-quote': (name) => `the quote that begins the value of ${name} is never closed`,
  'cut-value': (name) => `the value of ${name} ends before the "#", which begins a comment`,
  'text-after-quote': (name) => `the text after the closing quote of ${name} is ignored`,
};

/** Texts of `doctor` in English: findings here, and what to do about them in the remedies. */
export const en = {
  ...remediesEn,
  configOk: (file: string) => `${file} is valid`,
  noConfig: (file: string) => `there is no configuration at ${file}`,
  envLine: (file: string, { line, kind, name }: EnvFileProblem) =>
    `${file}, line ${line}: ${envLine[kind](name ?? '')}`,
  envLate: (names: string) => `.env sets ${names}, which Node.js reads only when it starts`,
  connected: (host: string, login: string) => `connected to ${host} as ${login}`,
  rolesOff: (roles: readonly OptionalRole[]) =>
    `the adapter lacks optional roles: ${roles.map((role) => `${role} (${withoutRole[role]})`).join(', ')}`,
  tasksListed: (count: number) => `waiting tasks: ${count}`,
  threadsListed: (count: number) => `open threads to search for mentions: ${count}`,
  patternFinds: (pattern: string, count: number) =>
    `${pattern} matches ${count === 1 ? '1 repository' : `${count} repositories`}`,
  patternFindsNone: (pattern: string) => `${pattern} matches no repository`,
  sameIn: (count: number, names: readonly string[]) =>
    `(The same in ${count} more ${count === 1 ? 'repository' : 'repositories'}: ${names.join(', ')}${count > names.length ? ', …' : ''})`,
  foundAreWell: (count: number) =>
    `${count === 1 ? '1 repository that matches' : `${count} repositories that match`} patterns: no problems`,
  cannotSee: (repository: string, answer: string) =>
    `${repository} does not exist, or the token has no access to it (${answer})`,
  noAccess: (repository: string, answer: string) => `the token has no access to ${repository} (${answer})`,
  moved: (repository: string) => `${repository} has moved to another name`,
  otherAnswer: (repository: string, answer: string) =>
    `${repository}: the response is not one of the API (${answer})`,
  serverFailed: (repository: string, answer: string) => `${repository}: the server failed (${answer})`,
  archived: (repository: string) => `${repository} is archived, so nothing can be written to it`,
  noIssues: (repository: string) => `${repository} has issues disabled, so only pull requests can be tasks`,
  otherRepository: (path: string) => `${path}: another repository had this name before; no task begins there`,
  branchBlocks: (repository: string, branch: string, prefix: string) =>
    `${repository} has a branch "${branch}", which makes "${prefix}/…" impossible; runs use "${prefix.replaceAll('/', '-')}-…" instead`,
  branchOpen: (repository: string, branch: string) =>
    `${repository}: the default branch ${branch} is not protected, so the agent's token can push to it`,
  mayWrite: (repository: string) => `${repository}: can read, push, comment, set labels, and open drafts`,
  mayNot: (repository: string, right: string, status: number) =>
    `${repository}: the token lacks ${right} (HTTP ${status})`,
  checksAreJobs: (repository: string) =>
    `${repository}: the token can't read checks, so the agent reads only workflow jobs`,
  checksHidden: (repository: string) =>
    `${repository}: the token can read neither checks nor workflow runs, so the agent does not see failed checks`,
  roleTooLow: (project: string, level: number) =>
    `${project}: the account has access level ${level}, below Developer (30)`,
  unknownAnswer: (repository: string, right: string, status: number) =>
    `${repository}: could not check whether the token has ${right} (HTTP ${status})`,
  notAsked: (repository: string, reason: string) => `${repository} could not be checked: ${reason}`,
  gitFails: (repository: string, reason: string) =>
    `${repository}: the API works, but git does not: ${reason}`,
  labelNotThere: (repository: string, label: string) => `${repository}: the label ${label} does not exist`,
  portTaken: (address: string, reason: string) => `cannot listen on ${address} (${reason})`,
  mentioned: (repository: string, login: string) => `${repository}: mention @${login} to start a task`,
  assignable: (repository: string, login: string) => `${repository}: assign ${login} to start a task`,
  notAssignable: (repository: string, login: string) => `${repository}: ${login} cannot be assigned there`,
  requestBudgets: ({ primary, secondary, contents }: ShownBudgets) =>
    `request budgets: hourly limit ${primary ? 'on' : 'off'}, limits per minute ${secondary ? 'on' : 'off'}, ${contents === null ? 'no limit of created comments' : `${contents} created comments per hour`}`,
  asApp: (slug: string) => `authenticated as a GitHub App; mention it as @${slug}`,
  purposes: {
    branches: 'pushing branches',
    threads: 'comments and labels',
    drafts: 'draft pull requests',
    checks: 'reading check results',
    actions: 'reading logs of failed jobs',
    reruns: 'rerunning failed jobs',
    workflows: 'pushing changes to .github/workflows',
    hearing: 'receiving webhooks instead of polling',
  },
  appLacks: {
    'permission-missing': (name: string, purpose: string) =>
      `the App lacks the permission ${name}, for ${purpose}`,
    'event-missing': (name: string, purpose: string) =>
      `the App is not subscribed to the event ${name}, for ${purpose}`,
  },
  graphqlMissing: (status: number) =>
    `the server does not answer GraphQL (HTTP ${status}), so no task can start`,
  trusted: (names: string) => `trust: all accounts exist: ${names}`,
  retention: (days: number, setting: string) =>
    `data of ended runs is deleted after ${days} days (${setting})`,
  programsThere: 'all programs that tools.run_command.allow names are on PATH',
  programsMissing: (names: string) => `tools.run_command.allow names programs that are not on PATH: ${names}`,
  tokenEnds: (day: string) => `the token expires on ${day}`,
  appNotAssignable: (slug: string) => `${slug} is a GitHub App, and GitHub Apps cannot be assigned`,
  labelsThere: (repository: string) => `${repository}: all labels exist`,
  labelsMissing: (repository: string, labels: string) =>
    `${repository}: the daemon creates these labels when it needs them: ${labels}`,
  limitWithoutPrice: (models: string) =>
    `limits.max_cost is set, but llm.prices has no price for ${models}, so no run can start`,
  withoutPrice: (models: string) =>
    `llm.prices has no price for ${models}, so the cost of its calls is not counted`,
  priced: (limited: boolean) =>
    `all models have a price, ${limited ? 'and limits.max_cost limits spending' : 'but nothing limits spending'}`,
  notCounted: 'costs are not tracked because llm.prices is empty',
  priceUnused: (models: string) => `llm.prices has a price for ${models}, which no run uses`,
  modelModule: (model: string) => `llm.module provides the model ${model}`,
  modelListed: (url: string, count: number) =>
    `${url} responds and lists ${count} ${count === 1 ? 'model' : 'models'}`,
  modelCapabilities: (model: string, { found, ...can }: ReportedCapabilities) => {
    const names = [
      ['tool calls', can.toolCalls],
      ['structured output', can.structuredOutput],
      ['reasoning', can.reasoning],
      ['images', can.images],
    ] as const;
    const list = (wanted: boolean) => names.flatMap(([name, value]) => (value === wanted ? [name] : []));
    const parts = [
      ...(found === null ? [] : [`${found.toLocaleString('en')} tokens of context`]),
      ...list(true),
      ...list(false).map((name) => `no ${name}`),
    ];
    return `the server reports for ${model}: ${parts.join(', ')}`;
  },
  contextDiffers: ({ found, used, isSet }: ContextLengths) =>
    `${isSet ? 'llm.context_length is' : 'the default of llm.context_length is'} ${used.toLocaleString('en')}, but the server reports ${found.toLocaleString('en')} tokens`,
  contextUnusable: (reported: number, used: number) =>
    `the server reports a context length of ${reported}; ${used.toLocaleString('en')} tokens are assumed`,
  contextSmall: (tokens: number, least: number) =>
    `the context has ${tokens.toLocaleString('en')} tokens; runs need at least ${least.toLocaleString('en')}`,
  modelNotListed: (model: string, others: string) =>
    `the server does not list ${model}; it lists ${others === '' ? 'no models' : others}`,
  modelUnknown: (model: string, others: string) =>
    `the server has no model ${model}; it has ${others === '' ? 'no models' : others}`,
  modelListMissing: (url: string, status: number) => `${url} does not list its models (HTTP ${status})`,
  notModelApi: (url: string, status: number, isPage: boolean) =>
    isPage
      ? `${url} answers with a web page, not with a model API (HTTP ${status})`
      : `there is no model API at ${url} (HTTP ${status})`,
  modelUnreachable: (url: string, reason: string) => `cannot reach ${url} (${reason})`,
  modelRefusedKey: (url: string, status: number) => `${url} rejected the API key (HTTP ${status})`,
  modelWantsKey: (url: string, status: number) => `${url} requires an API key (HTTP ${status})`,
  modelWorks: (model: string, milliseconds: number) =>
    `${model} responds and calls tools (${milliseconds} ms)`,
  modelWithoutTools: (model: string) =>
    `${model} responds, but did not call the tool that it was asked to call`,
  modelFailed: (model: string, reason: string) => `${model} did not respond: ${reason}`,
  modelTakesPictures: (model: string) => `${model} accepts images`,
  modelRefusesPictures: (model: string, reason: string) => `${model} does not accept images: ${reason}`,
  modelNotCalled: 'not called, because of --no-model',
  gitOk: (version: string) => `version ${version}`,
  gitOld: (version: string) => `version ${version} is too old`,
  gitMissing: 'git was not found in PATH',
  signingOk: (format: string) => `commits are signed (${format})`,
  sandboxOk: (isOnline: boolean) =>
    `commands run in bubblewrap, ${isOnline ? 'with' : 'without'} network access. Memory and processes are measured every second and disk usage every 10 seconds, so a command can exceed its limits in between (if that matters, give the daemon a cgroup and a disk quota)`,
  sandboxExternal:
    'the configuration leaves isolation to the container around the daemon. The daemon does not enforce the network lists and registry logins of `environments`, and processes can evade its limits: limit memory, processes, and disk in the container',
  proxyIsOpen: (sandbox: string) =>
    `http.page.proxy is set with sandbox: ${sandbox}. Commands run with the account of the daemon: they can read the secret of the proxy or connect to its socket, and then can act in the web UI as any user`,
  titlesAreOpen: (host: string) =>
    `http.host is ${host}: other machines can read the titles of tasks at /tasks.json without a login`,
  sandboxOff:
    "the configuration disables the sandbox, so commands run with the daemon's full permissions. The network and registry restrictions in `environments` are not enforced, and processes can evade the resource limits",
  directoryOk: (key: string, path: string) => `${key}: ${path} is writable`,
  directoryFailed: (key: string, path: string, reason: string) =>
    `${key}: ${path} cannot be used (${reason})`,
  databaseOk: (location: string, { version, latency, difference }: ServerFacts) =>
    `${location}: PostgreSQL ${version} with the required permissions; latency ${latency} ms, clock difference ${difference} ms`,
  databaseFailed: (location: string, reason: string) => `${location} cannot store runs (${reason})`,
  databaseUnencrypted:
    'the connection to the database is not encrypted: passwords and conversations can be read on the way',
  databaseClock: (difference: number) =>
    `the clock of the database server differs from the clock of this machine by ${difference} ms`,
  agentWorks: ({ name, steering, loadsSessions }: AgentText) =>
    `${name} starts in the sandbox and responds. It receives new comments by ${steering}, and ${loadsSessions ? 'can reload its session: it receives each comment exactly once, even after a crash' : 'does not store its session'}`,
  agentUnnamed: 'an agent that does not report its name',
  agentForgets: 'the agent cannot reload its session: after a crash it receives all comments again',
  agentUnseen: 'not checked: its login, its model and costs, and `environments` of single repositories',
  agentOffline:
    'the agent has no network access in repositories without an entry in `environments`, so it cannot reach its model there',
  agentWithoutMcp: (names: string) => `the agent does not receive the tools of mcp_servers: ${names}`,
  serverOk: (name: string, tools: number) => `${name} provides ${tools} ${tools === 1 ? 'tool' : 'tools'}`,
  serverLacks: (name: string, tools: string) => `${name} has no tools named ${tools}`,
  toolWaits: (tool: string) => `the MCP server changed or added ${tool}; runs cannot use it yet`,
  serverUnusable: (name: string, reason: string) => `${name}: ${reason}`,
  tracesSent: (endpoint: string, content: boolean) =>
    `traces are sent to ${endpoint}, ${content ? 'with' : 'without'} prompts and responses`,
  tracesNotTaken: (endpoint: string, answer: string) =>
    `${endpoint} does not accept traces (${answer}). Runs work without them`,
  metricsSent: (endpoint: string) => `metrics are sent to ${endpoint}`,
  metricsNotTaken: (endpoint: string, answer: string) =>
    `${endpoint} does not accept metrics (${answer}). Runs work without them`,
  webhooksOff: (name: string, variable: string) =>
    `not set up for ${name} (${variable} is not set), so the daemon polls`,
  webhooksOn: (name: string, address: string) =>
    `${name} can send webhooks to http://${address}. docs/guides/webhooks.md explains what to enter there`,
  webhooksWithoutPort: (name: string, variable: string) =>
    `${variable} is set, but without http.port the daemon cannot receive webhooks of ${name}`,
  webhookSecretShort: (variable: string) =>
    `${variable} is too short: anyone who guesses it can send webhooks`,
  /** `decider` is a key or a variable. */
  planning: (on: boolean, decider: string) => `planning mode is ${on ? 'on' : 'off'} (set by ${decider})`,
  prePlanning: (on: boolean, decider: string) => `pre-planning is ${on ? 'on' : 'off'} (set by ${decider})`,
  variableUseless: (variable: string) => `${variable} has an invalid value and is ignored`,
  allWell: 'No problems found.',
  summary: (failed: number, warnings: number) => `Errors: ${failed}. Warnings: ${warnings}.`,
};

/** Texts of `doctor` in one language. */
export type DoctorTexts = typeof en;
