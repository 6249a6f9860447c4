import type { ConfigFault } from '@agent/orchestrator/config';
import type { ModelSettingsFault } from '@agent/runner/models/config';
import type { NetworkFailureKind } from '@agent/text';
import type { EnvFileProblem } from '@agent/text/files';
import type { SandboxObstacle } from '@agent/workspace/sandbox';
import { formatCommand } from '../command-name.ts';

/** Server that gave no answer. */
export interface NetworkPlace {
  /** Setting with its address: a key of the configuration, or a variable. */
  readonly key: string;
  /** `127.0.0.1:1234` */
  readonly host: string;
  /** True for an address of this machine. */
  readonly isLocal: boolean;
}

/** Credential of a platform, as its configuration names it. */
export interface CredentialPlace {
  /** `platforms.github` */
  readonly section: string;
  /** Variable that holds the token or the private key. */
  readonly variable: string;
  /** Rights that a token needs, in the platform's own words. */
  readonly rights: string;
}

/** Address of an API, usual and self-hosted. */
export interface ApiAddresses {
  readonly key: string;
  readonly usual: string;
  readonly own: string;
}

const network: Readonly<Record<NetworkFailureKind | 'unknown', (place: NetworkPlace) => string>> = {
  'unknown-host': ({ key }) => `Check the host name in ${key} and the DNS of this machine.`,
  refused: ({ key, host, isLocal }) =>
    `Start the server at ${host}, or set ${key} to the address where it runs.${isLocal ? ' In a container, localhost is the container itself.' : ''}`,
  timeout: ({ host }) => `Check that ${host} is up and that firewalls let this machine reach it.`,
  'no-route': ({ key, host }) =>
    `Check the network connection of this machine, and the address in ${key}: there is no route to ${host}.`,
  broken: ({ key }) =>
    `Check the port in ${key}, and whether the server expects https:// there: it closed the connection without an HTTP response.`,
  'blocked-port': ({ key }) => `Set ${key} to the port of the server. No program may send HTTP to this port.`,
  forbidden: ({ host }) => `Allow this program to connect to ${host}: a firewall or a sandbox forbids it.`,
  'untrusted-certificate': ({ host }) =>
    `If ${host} uses a self-signed certificate or one of your organization, set NODE_EXTRA_CA_CERTS to the file of its authority before the start (in .env it comes too late). See docs/guides/network.md.`,
  'expired-certificate': ({ host }) =>
    `Renew the certificate of ${host}, or correct the clock of this machine.`,
  'other-name': ({ key }) => `Set ${key} to a host name that is in the certificate of the server.`,
  'no-tls': ({ key }) =>
    `Write http:// instead of https:// in ${key}, or use the port on which the server expects TLS.`,
  redirect: ({ key }) =>
    `Set ${key} to the address to which the server redirects. Redirects are not followed.`,
  proxy: ({ host }) => `Check the address and the login of your proxy, and that it lets ${host} through.`,
  unknown: ({ key }) => `Check ${key} and the network. See docs/guides/network.md.`,
};

const notInThisShell = (variable: string) =>
  `If the daemon works, only this shell lacks ${variable}: run the command with the secrets of the daemon, as root: CREDENTIALS_DIRECTORY=/etc/agent/secrets ${formatCommand('doctor')} (in containers /run/secrets).`;

const config: Readonly<Record<ConfigFault, () => string>> = {
  'no-file': () => `Run "${formatCommand('init')}" to create one, or name another file with --config.`,
  'unreadable-file': () => 'Let the account that runs this program read it (chmod, chown).',
  'not-a-file': () => 'Replace it with a regular file that this program can read.',
  'unknown-encoding': () => 'Open it in an editor and save it as UTF-8.',
  'invalid-yaml': () => 'Correct the YAML at that place.',
  'invalid-settings': () => 'Correct these settings. The README of the daemon lists all of them.',
  'variable-not-set': () =>
    `${notInThisShell('the variable')} Otherwise: Export the variable, or add it to .env beside the configuration.`,
};

const envLine: Readonly<Record<EnvFileProblem['kind'], string>> = {
  'no-equals': 'Write it as NAME=value.',
  'invalid-name': 'Write it as NAME=value, with letters, digits, and _ in the name.',
  'unclosed-quote': 'Add the closing quote.',
  'cut-value': 'Put the value in quotes.',
  'text-after-quote': 'Remove the text after the closing quote.',
};

const modelSettings: Readonly<Record<ModelSettingsFault, string>> = {
  'no-model': 'Set llm.model in the configuration, or the variable LLM_MODEL.',
  'no-address': 'Set llm.base_url to the address of your endpoint.',
  'key-not-set': 'Export the variable, or add it to .env beside the configuration.',
  'package-missing': 'Install the package beside this program, or choose another llm.provider.',
  module: 'Fix the module that llm.module names, or remove llm.module.',
};

const otherSandbox =
  'set tools.run_command.sandbox to external (a container around the daemon isolates it) or off (nothing does). See SECURITY.md.';

const sandbox: Readonly<Record<SandboxObstacle['kind'], string>> = {
  root: 'Run the daemon from its own account, or set tools.run_command.allow_root: true. See SECURITY.md.',
  'other-system': `Run the daemon on Linux or in a Linux container, or ${otherSandbox}`,
  'bubblewrap-missing': `Install the package bubblewrap, or ${otherSandbox}`,
  'bubblewrap-blocked': `Allow user namespaces on this machine, or ${otherSandbox}`,
  'filter-refused': `Use a kernel with seccomp filters (CONFIG_SECCOMP_FILTER) on x64 or arm64, or ${otherSandbox}`,
};

/** Remedies by the cause of a fault, in English. */
export const remediesEn = {
  network,
  proxyIgnored: (variable: string) =>
    `${variable} is set, but Node.js uses it only if it and NODE_USE_ENV_PROXY=1 are set before the start (not in .env). See docs/guides/network.md.`,
  proxyUsed: (variable: string, host: string) =>
    `The request goes through the proxy in ${variable}. Check that the proxy is up and lets ${host} through, or add the host to NO_PROXY.`,
  fixConfig: config,
  fixEnvLine: envLine,
  fixEnvLate: 'Export them in the environment that starts this program.',
  fixTokenNotSet: ({ variable, rights }: CredentialPlace) =>
    `${notInThisShell(variable)} Otherwise: Create a token (${rights}), and add ${variable}=… to .env beside the configuration.`,
  fixToken: ({ variable, rights }: CredentialPlace) =>
    `Create a new token (${rights}), and put it into ${variable}.`,
  fixTokenFile: ({ section }: CredentialPlace) =>
    `Write the token and nothing else into the file that ${section}.token_file names, and let the account of this program read it.`,
  fixAppKeyNotSet: ({ section, variable }: CredentialPlace) =>
    `${notInThisShell(variable)} Otherwise: Generate a private key on the App's settings page. Name its file in ${section}.app.private_key_file, or put its text into ${variable}.`,
  fixAppKey: ({ section }: CredentialPlace) =>
    `Generate a private key on the App's settings page, save the .pem file unchanged, and name it in ${section}.app.private_key_file.`,
  fixAppLogin: ({ section }: CredentialPlace) =>
    `Compare ${section}.app.app_id with the App's settings page, use a private key of that App, and check the clock of this machine.`,
  fixAppInstallation:
    'Install the App for the owner of the repositories and select the repositories there. If its installation is suspended, end that.',
  fixSuspended: 'End the suspension of the account, or use a token of another account.',
  fixRights: ({ rights }: CredentialPlace) => `Give the token these rights: ${rights}.`,
  fixApiAddress: ({ key, usual, own }: ApiAddresses) =>
    `Set ${key} to the address of the API: ${usual}, or ${own} for a self-hosted server.`,
  fixServerFault:
    'The server itself failed. Wait a moment and try again, and look at its status page or its log.',
  fixLater: 'Wait a moment, then try again.',
  fixAdapter: 'Fix the adapter or its options.',
  fixAdapterServer: (section: string) =>
    `Check that the server behind the adapter is up, and the options in ${section}.`,
  fixRoles: 'Optional. docs/guides/write-an-adapter.md explains what each role is for.',
  fixEmptyPattern:
    'Check the spelling, the exclusions, and whether forks are included. Check which repositories the token or the App has access to.',
  fixPattern: (pattern: string, section: string) =>
    `Check ${pattern} and its limits in ${section}, and that the token can list repositories.`,
  fixAccess: {
    app: (repository: string) =>
      `Check the spelling, and add ${repository} to the repositories of the App's installation.`,
    classic: (repository: string) =>
      `Check the spelling, give the account access to ${repository}, and give the token the scope repo.`,
    token: (repository: string) => `Check the spelling, and give the token access to ${repository}.`,
  },
  fixMoved: 'Write its new name into the configuration.',
  fixBranchPrefix: 'Optional: rename that branch, or set branch_prefix.',
  fixBranchOpen:
    "Protect it, or add a ruleset that requires pull requests. On GitLab, let only Maintainers push, and give the agent's account the role Developer.",
  fixGraphql: 'Let requests to /graphql through, or set base_url to a server that has GraphQL.',
  fixTrust: 'Correct the names in trust, or create the accounts.',
  fixAllow:
    'Install these programs, remove them from tools.run_command.allow, or add their directory to PATH. Until then, each call of them fails.',
  fixArchived: 'Unarchive it, or remove it from the configuration.',
  fixIssues: 'Enable issues in the settings of the repository, unless only pull requests are to be tasks.',
  fixRight: {
    app: (right: string) => `Give the App the permission ${right}, and accept it where the App is installed.`,
    classic: () => 'Give the token the scope repo, and give its account write access to the repository.',
    token: (right: string) => `Give the token ${right}, and give its account write access to the repository.`,
  },
  fixChecks:
    'Use a GitHub App with "Checks: read" or a classic token, or give the token "Actions: read" to read workflow jobs.',
  fixRole: 'Give the account the role Developer or higher.',
  fixGitLogin:
    'Give the token read and write access to the contents of the repository: git uses the same token.',
  fixGitCertificate:
    'Set GIT_SSL_CAINFO to the file of the certificate authority: git does not read NODE_EXTRA_CA_CERTS. See docs/guides/network.md.',
  fixGitNetwork:
    'Git has its own settings for certificates (GIT_SSL_CAINFO) and proxies (HTTPS_PROXY). Node.js reads NODE_EXTRA_CA_CERTS and, with NODE_USE_ENV_PROXY=1, HTTPS_PROXY. See docs/guides/network.md.',
  fixLabel: (label: string) =>
    `Run "${formatCommand('labels')}" to create ${label} in all configured repositories, or create it by hand. Users set it to start a task.`,
  fixPort: {
    taken: 'Choose another http.port, or stop the program that uses this one.',
    forbidden: 'Choose an http.port above 1023, or allow this account to use lower ports.',
    address: 'Set http.host to an address of this machine, such as 127.0.0.1.',
  },
  fixApp: "Add it on the App's settings page, and accept it where the App is installed.",
  fixPending: 'The App requests it already. Accept it on the page of the installation.',
  fixTokenEnd: 'Create a new token, or rotate it. With token_file, a new token is used without a restart.',
  fixAppTrigger: 'Set trigger to label or mention.',
  fixAssignable: (login: string) => `Make ${login} a collaborator or member, or set trigger to mention.`,
  fixModelSettings: modelSettings,
  fixPrice:
    'Add its price to llm.prices, under the name by which it is called. A free model has the price 0.',
  fixPriceName: 'Use the names in llm.model (or LLM_MODEL) and llm.models, or remove the price.',
  fixModelName: 'Set llm.model (or LLM_MODEL) to a model that the server has, or load the model there.',
  fixModelNear: (model: string) => `Set llm.model (or LLM_MODEL) to ${model}.`,
  fixNoModels: 'Load or download a model on the server, and set llm.model (or LLM_MODEL) to its name.',
  fixBaseUrl: (url: string) => `Set llm.base_url (or LLM_BASE_URL) to ${url}.`,
  fixModelAddress:
    'Set llm.base_url (or LLM_BASE_URL) to the base URL of an OpenAI-compatible API. It usually ends in /v1.',
  fixModelList:
    'Nothing to do if the next line is ✓. Otherwise check llm.base_url, which usually ends in /v1.',
  fixModelApi: 'Set llm.api: chat. The server does not support the Responses API for this model.',
  fixModelRequest:
    "Read the server's message. If it is about tools, set llm.model (or LLM_MODEL) to a model that supports tool calls.",
  fixModelAnswer:
    'Check that llm.base_url is an OpenAI-compatible API, and try the other value of llm.api: chat or responses.',
  fixModelContext: 'Load the model with a longer context, or choose a model that has one.',
  fixModelServer:
    "The model server failed. Look at its log, and check that the model fits into the server's memory.",
  fixModelSlow: 'Check that the model is loaded. If it is just slow, raise llm.step_timeout_seconds.',
  fixModelModule: 'Fix the model of llm.module, or the settings that it reads.',
  fixQuota: "Add credit to the account at the model's endpoint, or raise its limits. Runs wait until then.",
  fixRateLimit: 'Wait and try again, or use an account with higher rate limits. Runs wait by themselves.',
  fixKey: (variable: string) => `Put a valid API key into ${variable}, in .env or the environment.`,
  fixKeyUnnamed: 'Put the API key into a variable in .env, and name the variable in llm.api_key_env.',
  fixContext: (tokens: number) =>
    `Set llm.context_length to ${tokens}, or load the model with the context that you want.`,
  fixContextUnusable: 'Set llm.context_length to the context that the model is loaded with.',
  fixContextSmall: 'Load the model with a longer context, or choose another model.',
  fixTools:
    'Choose a model that supports tool calls, or set llm.text_tool_calls to its template if only the server lacks support. Without tool calls, the agent cannot change anything.',
  fixPictures: 'Choose a model that accepts images, or set pictures.enabled to false.',
  fixModelNotCalled: 'Omit --no-model to check whether it responds and calls tools.',
  fixGit: 'Install git 2.31 or newer, and make sure that it is in PATH.',
  fixSigning:
    'Name a private key without a passphrase in workspaces.signing. docs/guides/signed-commits.md explains how to create one.',
  fixSandbox: sandbox,
  fixHttpSecret: 'Create a secret with "openssl rand -hex 32". See docs/guides/page.md.',
  fixProxyIsOpen:
    'Set tools.run_command.sandbox: required, or remove http.page.proxy and have users log in with tokens (agent-daemon token NAME).',
  fixTitlesAreOpen: 'Set http.metrics_token_file, or http.host: 127.0.0.1. See docs/guides/page.md.',
  fixSandboxOff:
    'Remove "tools.run_command.sandbox: off" from the configuration to run commands in bubblewrap. SECURITY.md explains what bubblewrap isolates.',
  fixDirectory: {
    permission: 'Give the account of this program write permission there, or name another directory.',
    full: 'Free space on that disk, or name a directory on another one.',
    file: 'A file is in the way. Move it, or name another directory.',
    other: 'Name a directory that can be written.',
  },
  fixDatabase: {
    login: (variable: string) => `Correct the user and the password in ${variable}.`,
    missing: (variable: string) => `Create the database, or correct its name in ${variable}.`,
    rights: () =>
      'Let the database user create a schema, or create the schema for it. See docs/guides/many-hosts.md.',
    other: (variable: string) => `Check the address in ${variable}.`,
  },
  fixUnencrypted: (variable: string) =>
    `Add ?sslmode=verify-full to the address in ${variable}. See docs/guides/many-hosts.md.`,
  fixClock: 'Synchronize the clocks of both machines, for example with chrony.',
  fixAgentForgets: 'Optional: use an agent that supports session/load. See docs/guides/agents.md.',
  fixAgent: 'See docs/guides/agents.md.',
  fixAgentOffline:
    'Set tools.run_command.network: true (public hosts), or list the hosts that it needs in network.allow of an entry of environments. See docs/guides/environments.md.',
  fixAgentWithoutMcp:
    'If the agent needs them, configure them in the agent itself. See docs/guides/agents.md.',
  fixToolList: (name: string) =>
    `Use the names that the server reports, or correct mcp_servers.${name}.tools.`,
  fixWaitingTool: (tool: string) =>
    `Read what the server says about the tool. Then run: agent-daemon accept ${tool} (possible once the daemon has connected to the server).`,
  fixServerProgram: (name: string) =>
    `Install the program that mcp_servers.${name}.command names, or correct its path.`,
  fixServerToken: 'Export the variable, or add it to .env beside the configuration.',
  fixServer: (name: string) => `Check mcp_servers.${name}. Until it works, runs continue without its tools.`,
  fixOtlp: {
    login: 'Put the login of the receiver into OTEL_EXPORTER_OTLP_HEADERS.',
    address: (variable: string) =>
      `Set ${variable} to the OTLP/HTTP endpoint of the receiver, usually port 4318 without a path.`,
    grpc: (variable: string) =>
      `Set ${variable} to the OTLP/HTTP port of the receiver, usually 4318. Port 4317 is for gRPC, which is not supported.`,
    other: 'Look at the log of the receiver.',
  },
  fixWebhookPort: 'Set http.port in the configuration, or remove the variable.',
  fixWebhookSecret: (characters: number) =>
    `Use at least ${characters} random characters (openssl rand -hex 32), here and on the platform.`,
  fixVariable: (variable: string) =>
    variable.endsWith('_ENABLED')
      ? `Set ${variable} to true or false, or remove it.`
      : `Set ${variable} to a value that its key in the configuration accepts, or remove it.`,
};

/** Remedies in one language. */
export type DoctorRemedies = typeof remediesEn;
