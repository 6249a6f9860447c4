import type { OptionalRole } from '@agent/platforms/custom';

/** Facts of an agent, with a name for people. */
interface AgentText {
  readonly name: string;
  readonly steering: string;
  readonly loadsSessions: boolean;
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
  ownComments: 'two daemons of one account are not kept apart',
  labels: 'no label shows how far a task is',
  labelEvents: 'nobody can say who labeled a thread',
  history: 'no trigger: mention, and nobody can say who assigned a thread or changed it',
  assignees: 'no trigger: assignment',
  permissions: 'only accounts that trust names may steer',
  repository: 'answers only, no files',
  changeRequests: 'a branch is the result',
  reactions: 'comments are not marked as seen',
};

/** Texts of `doctor` in English. */
export const en = {
  configOk: (file: string) => `${file} is valid`,
  fixConfig: 'Fix the file as the message says; "agent-daemon init" writes a complete one.',
  connected: (host: string, login: string) => `connected to ${host} as ${login}`,
  fixToken: 'Make a token that is valid, and put it into the variable or into .env beside the configuration.',
  fixAddress: (key: string) =>
    `Check ${key} and the network; docs/guides/network.md says what proxies and authorities of your own need.`,
  fixLater: 'Wait, then try again.',
  fixAdapter: 'Fix the adapter or its options.',
  rolesOff: (roles: readonly OptionalRole[]) =>
    `off, because the adapter lacks them: ${roles.map((role) => `${role} (${withoutRole[role]})`).join(', ')}`,
  fixRoles: 'Nothing to do if you can live without; docs/guides/write-an-adapter.md says what each is for.',
  tasksListed: (count: number) => `lists the tasks that wait: ${count}`,
  threadsListed: (count: number) => `lists the open threads, where mentions may wait: ${count}`,
  patternFinds: (pattern: string, count: number) =>
    `${pattern} finds ${count === 1 ? '1 repository' : `${count} repositories`}`,
  patternFindsNone: (pattern: string) => `${pattern} finds no repository`,
  fixEmptyPattern:
    'Check the spelling, what is excluded, whether forks are wanted, and which repositories the token or the App was given.',
  fixPattern: (pattern: string, section: string) =>
    `Check ${pattern} and its limits in ${section}, and what the token may list.`,
  notExamined: (count: number) =>
    `${count} more that patterns find were not examined: the first of them and all names were`,
  cannotSee: (repository: string, status: number) =>
    `${repository} is not there, or the token may not see it (answer ${status})`,
  fixAccess: (repository: string) => `Check the spelling, and give the token access to ${repository}.`,
  archived: (repository: string) => `${repository} is archived: nothing can be written to it`,
  fixArchived: 'Unarchive it, or take it out of the configuration.',
  noIssues: (repository: string) => `${repository} has issues switched off: only pull requests can be tasks`,
  fixIssues: 'Switch them on in the settings of the repository, if issues are to be tasks.',
  mayWrite: (repository: string) => `${repository}: reads, pushes, labels, comments, opens drafts`,
  mayNot: (repository: string, right: string, status: number) =>
    `${repository}: the token lacks ${right} (answer ${status})`,
  checksAreJobs: (repository: string) =>
    `${repository}: the token may not read checks; the jobs of workflows are read instead, and no other checks`,
  checksHidden: (repository: string) =>
    `${repository}: the token may read neither checks nor workflows, so that no run hears of a failed check`,
  fixChecks:
    'Use a GitHub App with "Checks: read" or a classic token, or give the token "Actions: read" for the jobs of workflows.',
  fixRight: (right: string) => `Give the token ${right}, and its account write access to the repository.`,
  roleTooLow: (project: string, level: number) =>
    `${project}: the account has access level ${level}, below Developer (30)`,
  fixRole: 'Give the account the role Developer or more.',
  unknownAnswer: (repository: string, question: string, status: number) =>
    `${repository}: cannot tell whether the token has ${question} (answer ${status})`,
  notAsked: (repository: string, reason: string) => `${repository} could not be asked: ${reason}`,
  gitFails: (repository: string, reason: string) =>
    `${repository}: the API answers, git does not get there: ${reason}`,
  fixGitNetwork:
    'Git takes authorities from GIT_SSL_CAINFO and proxies from HTTPS_PROXY, the API from NODE_EXTRA_CA_CERTS and, with NODE_USE_ENV_PROXY=1, HTTPS_PROXY: see docs/guides/network.md.',
  labelNotThere: (repository: string, label: string) =>
    `${repository}: nobody can set the label ${label}, it is not there`,
  fixLabel: (label: string) =>
    `Make the label ${label}: people set it to give a task, so the daemon does not make it.`,
  portTaken: (address: string, reason: string) => `nothing can listen at ${address} (${reason})`,
  fixPort: 'Choose another http.port or http.host, or end the program that listens there.',
  mentioned: (repository: string, login: string) => `${repository}: people give tasks by writing @${login}`,
  assignable: (repository: string, login: string) => `${repository}: people give tasks by assigning ${login}`,
  notAssignable: (repository: string, login: string) => `${repository}: ${login} cannot be assigned there`,
  asApp: (slug: string) => `works as a GitHub App; people mention @${slug}`,
  purposes: {
    branches: 'branches with changes',
    threads: 'comments and labels',
    drafts: 'draft pull requests',
    checks: 'what checks say of a commit',
    actions: 'logs of failed jobs, and running them again',
    workflows: 'pushing changes of files in .github/workflows',
    hearing: 'hearing of it at once instead of by polling',
  },
  appLacks: {
    'permission-missing': (name: string, purpose: string) =>
      `the App lacks the permission ${name}, for ${purpose}`,
    'event-missing': (name: string, purpose: string) =>
      `the App does not subscribe to the event ${name}, for ${purpose}`,
  },
  fixApp: 'Add it on the settings page of the App, and agree to it where the App is installed.',
  fixPending: 'The App asks for it already: agree to it on the page of its installation.',
  tokenEnds: (day: string) => `the token ends on ${day}`,
  fixTokenEnd: 'Make a new one, or rotate it; with token_file a rotated one is used without a restart.',
  appNotAssignable: (slug: string) => `${slug} is an App, and GitHub lets nobody assign an App`,
  fixAppTrigger: 'Set trigger to label or mention.',
  fixAssignable: (login: string) => `Make ${login} a collaborator or member, or set trigger to mention.`,
  labelsThere: (repository: string) => `${repository}: all labels are there`,
  labelsMissing: (repository: string, labels: string) =>
    `${repository}: labels that will be made when needed: ${labels}`,
  fixModelSettings:
    'Do as the message says: variables go into the environment or into .env beside the configuration, keys of llm into the configuration.',
  limitWithoutPrice: (models: string) =>
    `limits.max_cost is set, and llm.prices has no price of ${models}: runs do not begin`,
  withoutPrice: (models: string) =>
    `llm.prices has no price of ${models}: what these calls cost is not counted`,
  fixPrice:
    'Name its price in llm.prices, by the name under which it is asked; 0 for one that costs nothing.',
  priced: (limited: boolean) =>
    `all models have a price${limited ? ', and limits.max_cost limits what runs cost' : '; nothing limits what runs cost'}`,
  notCounted: 'what runs cost is not counted (llm.prices names no price)',
  priceUnused: (models: string) => `llm.prices names ${models}, which no run asks`,
  fixPriceName: 'Write the name as llm.model (or LLM_MODEL) and llm.models have it, or take the price away.',
  modelModule: (model: string) => `llm.module made the model ${model}`,
  modelListed: (url: string, count: number) =>
    `${url} answers and lists ${count} ${count === 1 ? 'model' : 'models'}`,
  modelNotListed: (model: string, others: string) =>
    `the endpoint does not list ${model}; it lists ${others}`,
  fixModelName: 'Set llm.model (or LLM_MODEL) to one of them, or load the model there.',
  modelListMissing: (url: string, status: number) => `${url} lists no models (answer ${status})`,
  fixModelList: 'Nothing to do if the next line is well; else check llm.base_url, which mostly ends in /v1.',
  modelUnreachable: (url: string, reason: string) => `${url} cannot be reached (${reason})`,
  fixEndpoint: 'Start the endpoint, or set llm.base_url (or LLM_BASE_URL) to where it is.',
  fixModelRequest:
    'Its words say what it does not take. For tools: set llm.model (or LLM_MODEL) to a model that can use them.',
  fixQuota: "Top up the account at the model's endpoint or raise its limits; runs wait meanwhile.",
  fixCertificate: 'Name a file with the certificate of its authority in NODE_EXTRA_CA_CERTS.',
  modelRefusedKey: (url: string, status: number) => `${url} refuses the key (answer ${status})`,
  fixKey: 'Put a valid key into the variable that llm.api_key_env names.',
  modelWorks: (model: string, milliseconds: number) =>
    `${model} answers and calls tools (${milliseconds} ms)`,
  modelWithoutTools: (model: string) => `${model} answers, but did not call the tool that it was asked to`,
  fixTools: 'Choose a model that was made for tools; without them nothing can be changed.',
  modelFailed: (model: string, reason: string) => `${model} does not answer: ${reason}`,
  modelTakesPictures: (model: string) => `${model} takes pictures`,
  modelRefusesPictures: (model: string, reason: string) => `${model} takes no pictures: ${reason}`,
  fixPictures: 'Choose a model that takes pictures, or set pictures.enabled to false.',
  modelNotCalled: 'not called (--no-model)',
  fixModelNotCalled: 'Leave --no-model away to see whether it answers and calls tools.',
  gitOk: (version: string) => `version ${version}`,
  gitOld: (version: string) => `version ${version} is too old`,
  gitMissing: 'git is not there',
  fixGit: 'Install git 2.29 or newer, and have it in PATH.',
  signingOk: (format: string) => `commits are signed (${format})`,
  fixSigning:
    'Name a private key without a passphrase in workspaces.signing: docs/guides/signed-commits.md says how to make one.',
  sandboxOk: (network: boolean) =>
    `commands run in bubblewrap, ${network ? 'with' : 'without'} the network; their memory and processes are measured each second and their disk every ten, so that a command can take more in between (give the daemon a cgroup and a quota where that matters)`,
  sandboxExternal:
    'commands are kept in by what the daemon runs in, as the configuration says; the daemon itself keeps neither the network lists nor the logins of `environments`, and its limits miss processes that hide their mark: memory, processes and disk are for the container to limit',
  sandboxOff:
    'commands run without a sandbox, as the configuration says: with all rights of the daemon; network lists and logins of `environments` are not kept, and limits miss processes that hide their mark',
  fixSandbox:
    'Install bubblewrap, allow user namespaces, and leave tools.run_command.sandbox at required; SECURITY.md says what it keeps out.',
  fixRoot: 'Run the daemon from an account of its own; SECURITY.md says why.',
  directoryOk: (key: string, path: string) => `${key}: ${path} can be written`,
  directoryFailed: (key: string, path: string, reason: string) =>
    `${key}: ${path} cannot be used (${reason})`,
  fixDirectory: 'Give this account the right to write there, or name another directory.',
  databaseOk: (location: string, { version, latency, difference }: ServerFacts) =>
    `${location}: PostgreSQL ${version}, rights to keep runs; answers in ${latency} ms, clock differs by ${difference} ms`,
  databaseFailed: (location: string, reason: string) => `${location} cannot keep runs (${reason})`,
  databaseClock: (difference: number) =>
    `the clock of the server differs from that of this machine by ${difference} ms`,
  fixDatabase:
    'Check the address in the variable that storage.postgres.url_env names, and what the reason says.',
  fixClock: 'Let both machines follow a time server, such as with chrony.',
  agentWorks: (facts: AgentText) =>
    `${facts.name} starts where commands run and answers; while it works it is told things by ${facts.steering}, and it ${facts.loadsSessions ? 'loads its sessions: what it is told stands in its conversation exactly once, also after a kill' : 'keeps no session'}`,
  agentUnnamed: 'the agent, which does not say its name,',
  agentForgets: 'the agent does not load sessions: after a kill it is told everything again',
  fixAgentForgets:
    'Nothing to do if you can live with it; else take an agent with session/load. See docs/guides/agents.md.',
  agentUnseen:
    'not seen by this: its login, its model and what that costs, and what `environments` says of single repositories',
  fixAgent: 'See docs/guides/agents.md; what it says of itself stands above.',
  agentOffline:
    'the agent reaches no network where its repository has none of its own, and so not the endpoint of its model',
  fixAgentOffline:
    'Write tools.run_command.network: true for all of it, or network.allow in an entry of environments for the hosts that it needs. See docs/guides/environments.md.',
  agentWithoutMcp: (names: string) => `the agent does not get the tools of mcp_servers: ${names}`,
  fixAgentWithoutMcp: 'Configure them in the agent itself, if it is to have them. See docs/guides/agents.md.',
  serverOk: (name: string, tools: number) => `${name} has ${tools} tools`,
  serverLacks: (name: string, tools: string) => `${name} has no tools named ${tools}`,
  fixToolList: (name: string) =>
    `Take the names from what the server tells, or correct mcp_servers.${name}.tools.`,
  serverFailed: (name: string, reason: string) => `${name}: ${reason}`,
  fixServer: (name: string) => `Check mcp_servers.${name}; runs go on without its tools until then.`,
  tracesSent: (endpoint: string, content: boolean) =>
    `traces go to ${endpoint}, ${content ? 'with' : 'without'} what was said and done`,
  tracesNotTaken: (endpoint: string, answer: string) =>
    `nobody takes traces at ${endpoint} (${answer}); runs go on without`,
  metricsSent: (endpoint: string) => `metrics go to ${endpoint}`,
  metricsNotTaken: (endpoint: string, answer: string) =>
    `nobody takes metrics at ${endpoint} (${answer}); runs go on without`,
  fixMetrics:
    'Check OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS, or set OTEL_METRICS_EXPORTER=none.',
  fixTraces: 'Check OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS, or take them away.',
  webhooksOff: (name: string, variable: string) =>
    `${name} tells nothing (${variable} is not set): what is new is looked for at intervals`,
  webhooksOn: (name: string, address: string) =>
    `${name} may deliver to http://${address}; docs/guides/webhooks.md says what to enter there`,
  webhooksWithoutPort: (name: string, variable: string) =>
    `${variable} is set, but nothing listens for what ${name} delivers`,
  fixWebhookPort: 'Set http.port in the configuration, or take the variable away.',
  webhookSecretShort: (variable: string) => `${variable} is short: whoever guesses it can ring`,
  fixWebhookSecret: (characters: number) =>
    `Take ${characters} random characters or more (openssl rand -hex 32), here and on the platform.`,
  /** `decider` is a key or a variable. */
  planning: (on: boolean, decider: string) =>
    `planning mode is ${on ? 'on' : 'off'} (${decider} decides that)`,
  prePlanning: (on: boolean, decider: string) =>
    `pre-planning is ${on ? 'on' : 'off'} (${decider} decides that)`,
  variableUseless: (variable: string) => `${variable} holds nothing of use, and is not heeded`,
  fixVariable: (variable: string) =>
    variable.endsWith('_ENABLED')
      ? `Set ${variable} to true or false, or take it away.`
      : `Set ${variable} to a value that its key in the configuration could have, or take it away.`,
  allWell: 'Everything is well.',
  summary: (failed: number, warnings: number) => `To be fixed: ${failed}. To look at: ${warnings}.`,
};

/** Texts of `doctor` in one language. */
export type DoctorTexts = typeof en;
