import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { RunDirectories } from '@agent/orchestrator';
import { ConfigError } from '@agent/orchestrator/config';
import {
  builtInNames,
  listNamedPlatforms,
  type PlatformSettings,
  webhookVariableOf,
} from '@agent/orchestrator/platforms';
import type { RunStorage } from '@agent/run-store';
import { listEndpointAddresses, listKeyVariables } from '@agent/runner/models/config';
import { createOutgoingGate, listPlaces, type OutgoingGate } from '@agent/text/outgoing';
import { createIssuedSecrets, type IssuedSecrets, isHideable, type SecretValues } from '@agent/text/secrets';
import type { Environment } from '@agent/workspace';
import { createProtection, listRegistryVariables } from '@agent/workspace/config';
import { programDirectory } from '../program-directory.ts';
import type { LoadedConfig } from './load-config.ts';
import type { Config, PlaceName, SectionName, Sections } from './schema.ts';

/** Names that hold a secret in any program's environment. */
const secretName =
  /(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|PRIVATE_?KEY|CREDENTIALS?|BEARER_TOKEN_BEDROCK)$/i;

/**
 * Every value that must never leave the process: the variables that the configuration names, and all others of
 * the environment whose names say that they are secret.
 */
export function collectSecrets(config: Config, environment: Environment): readonly string[] {
  return collectValues(listSecretNames(config), environment);
}

/** As `collectSecrets`, by the names of the variables that a configuration names. */
export function collectValues(names: Iterable<string>, environment: Environment): readonly string[] {
  const named = new Set(names);
  return Object.entries(environment)
    .filter(([name, value]) => value !== undefined && (named.has(name) || secretName.test(name)))
    .map(([, value]) => value?.trim() ?? '')
    .flatMap((value) => [value, ...listPasswords(value)])
    .concat(listHeaderValues(environment));
}

/** Values of the headers with which telemetry is sent: keys of whoever receives it. */
function listHeaderValues(environment: Environment): readonly string[] {
  return Object.entries(environment)
    .filter(([name]) => /^OTEL_EXPORTER_OTLP_(?:TRACES_|METRICS_)?HEADERS$/.test(name))
    .flatMap(([, headers]) => (headers ?? '').split(','))
    .map((header) => header.slice(header.indexOf('=') + 1).trim())
    .flatMap((value) => [value, value.replace(/^(?:Bearer|Basic)(?: |%20)/i, '')]);
}

/** The password of an address, as it is written there and as it is sent. */
function listPasswords(value: string): readonly string[] {
  const { password = '' } = URL.parse(value) ?? {};
  return password === '' ? [] : [password, decodeURIComponent(password)];
}

/** Names of the variables of this configuration whose values are too short to be told from ordinary words, sorted. */
export function listShortSecrets(config: Config, environment: Environment): readonly string[] {
  return [...listSecretNames(config)]
    .filter((name) => {
      const value = environment[name]?.trim() ?? '';
      return value !== '' && !isHideable(value);
    })
    .sort();
}

/**
 * Makes sure that an agent gets a credential of its own.
 *
 * @throws ConfigError for one of the daemon itself
 */
export function refuseSharedCredentials(config: Config): void {
  // The key of a model may well be that of an agent, too.
  const keys = new Set(listKeyVariables(config.llm));
  const shared = config.executor?.acp.env.find(
    (name) => listSecretNames(config).has(name) && !keys.has(name),
  );
  if (shared !== undefined)
    throw new ConfigError(
      `executor.acp.env names ${shared}, a credential of the daemon itself. Give the agent its own credential.`,
    );
}

function listSecretNames(config: Config): ReadonlySet<string> {
  const names = [
    ...listNamedPlatforms(config.platforms).map(({ section }) => section.token_env),
    config.platforms.github?.app?.private_key_env,
    ...builtInNames.map((name) => webhookVariableOf(name, config.webhooks)),
    ...listKeyVariables(config.llm),
    config.storage.postgres?.url_env,
    config.workspaces.signing?.key_env,
    config.http.page.proxy?.secret_env,
    ...listRegistryVariables(config.environments),
    ...Object.values(config.mcp_servers).map((server) => ('token_env' in server ? server.token_env : null)),
  ];
  return new Set(names.filter((name) => typeof name === 'string'));
}

/** Settings that name directories, and the one that relative paths start from. */
interface DirectorySettings<Name extends SectionName> {
  readonly config: Sections<Name>;
  readonly directory: string;
}

export function toRunDirectories(loaded: DirectorySettings<PlaceName | 'workspaces'>): RunDirectories {
  const workspaces = resolve(loaded.directory, loaded.config.workspaces.base_dir);
  return { ...toRecordPlaces(loaded), workspaces };
}

/** Paused runs and the pause signal lie in the directory of runs unless the configuration puts them elsewhere. */
export function toRecordPlaces({
  config,
  directory,
}: DirectorySettings<PlaceName>): Omit<RunDirectories, 'workspaces'> {
  const { context_storage: storage, pause_resume: pause } = config;
  const base = storage.base_dir;
  return {
    contexts: resolve(directory, base),
    paused: resolve(directory, pause.paused_dir ?? join(base, 'paused')),
    pauseSignalFile: resolve(directory, pause.signal_file ?? join(base, 'pause_signal')),
  };
}

/** Reads what connecting to the platforms takes. */
export function toPlatformSettings(
  loaded: LoadedConfig,
  {
    notes,
    secrets: known,
    named = false,
    observer,
  }: Pick<RunStorage, 'notes'> &
    Pick<PlatformSettings, 'observer'> & { readonly secrets?: IssuedSecrets; readonly named?: boolean },
): PlatformSettings {
  const { config, environment, directory } = loaded;
  const secrets = known ?? createIssuedSecrets(collectSecrets(config, environment));
  const { author_name: authorName, author_email: authorEmail, signing } = config.workspaces;
  const { workspaces } = toRunDirectories(loaded);
  return {
    sections: config.platforms,
    trust: config.trust,
    locale: config.locale === 'auto' ? null : config.locale,
    workspaces: { directory: workspaces, authorName, authorEmail, signing },
    mentions: { notes, runsHear: config.comment_detection.enabled, named },
    gate: openOutgoingGate(loaded, secrets.values),
    protection: createProtection(config.environments, config.outgoing.protected_paths),
    observer,
    onToken: secrets.add,
    environment,
    directory,
  };
}

/** Makes the gate of a daemon with this configuration. Of a model that a module brings, no address is known. */
function openOutgoingGate(
  { config, environment, directory }: LoadedConfig,
  secrets: SecretValues,
): OutgoingGate {
  const { contexts, paused, workspaces } = toRunDirectories({ config, directory });
  const places = listPlaces({
    directories: {
      [directory]: 'the directory of the configuration',
      [contexts]: 'the directory of runs',
      [paused]: 'the directory of paused runs',
      [workspaces]: 'the directory of workspaces',
      [environment.HOME ?? homedir()]: 'the home directory',
      [programDirectory]: 'the program',
    },
    endpoints: listEndpointAddresses(config.llm),
    publicHosts: listNamedPlatforms(config.platforms).flatMap(({ section: { base_url: url } }) =>
      URL.canParse(url) ? [new URL(url).hostname] : [],
    ),
  });
  const { allow_paths: paths, allow_fingerprints: fingerprints, link_hosts: hosts } = config.outgoing;
  const origin = config.http.page.public_origin;
  const linkHosts = origin === null ? hosts : [...hosts, new URL(origin).host];
  return createOutgoingGate({ secrets, places, linkHosts, allow: { paths, fingerprints } });
}

/** Files and directories that hold secrets, as the configuration and the environment name them: commands of the agent must not see them. */
export function listSecretFiles({
  config,
  directory,
  environment,
}: Pick<LoadedConfig, 'config' | 'directory' | 'environment'>): string[] {
  const { github, gitlab } = config.platforms;
  const { signing } = config.workspaces;
  const { metrics_token_file: metrics } = config.http;
  const keys = [github?.app?.private_key_file, signing?.key_file];
  const named = [github?.token_file, gitlab?.token_file, ...keys, metrics];
  const { CREDENTIALS_DIRECTORY: credentials } = environment;
  return ['.env', ...named, credentials].flatMap((path) => (path ? [resolve(directory, path)] : []));
}

/** Keys that are set and have no effect, as all else is: whoever sets one is told. */
export function listReservedKeys({ planning, report, pictures, executor }: Config): readonly string[] {
  const hasOne = report.style === 'seed';
  return [
    ...(planning.progress_comment.enabled && !hasOne ? ['planning.progress_comment.enabled'] : []),
    ...(pictures.enabled && executor !== null ? ['pictures.enabled'] : []),
  ];
}

/** Directory beside the runs that holds those of processes that only observe. */
const directoryName = 'observed';

/**
 * The same configuration for a process that only observes. Its runs are files in a directory of their own and its worktrees in another one, so that
 * no later run inherits anything of them. It does not wait for reviews of drafts that were not opened, and has no tools of MCP servers, which
 * could write elsewhere.
 */
export function toObservedConfig(loaded: LoadedConfig): LoadedConfig {
  const { config } = loaded;
  const { context_storage, pause_resume, workspaces, follow_up } = config;
  return {
    ...loaded,
    config: {
      ...config,
      storage: { ...config.storage, postgres: null },
      context_storage: { ...context_storage, base_dir: join(context_storage.base_dir, directoryName) },
      pause_resume: { ...pause_resume, paused_dir: null, signal_file: null },
      workspaces: {
        ...workspaces,
        base_dir: join(dirname(workspaces.base_dir), `${basename(workspaces.base_dir)}-${directoryName}`),
      },
      follow_up: follow_up && { ...follow_up, watch: false },
      mcp_servers: {},
    },
  };
}

/** Directories of the runs and worktrees that are not only observed: commands of the agent must not see them. */
export function listOtherDirectories(loaded: LoadedConfig): readonly string[] {
  const { contexts, paused, workspaces } = toRunDirectories(loaded);
  return [contexts, paused, workspaces];
}
