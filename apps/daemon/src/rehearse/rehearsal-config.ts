import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { ConfigError } from '@agent/orchestrator/config';
import {
  type BuiltInName,
  builtInNames,
  entryOf,
  listWebhookSettings,
  type PlatformLabels,
} from '@agent/orchestrator/platforms';
import { RehearsalError } from '@agent/rehearsal';
import { toRecord } from '@agent/text/json';
import type { Environment } from '@agent/workspace';
import { stringify } from 'yaml';
import {
  type LoadedConfig,
  loadConfig,
  parseYaml,
  readConfigFile,
  toSnakeCaseKeys,
} from '../config/load-config.ts';
import { directoryPrefix, filePrefix, formatOwner } from './abandoned-files.ts';
import type { RehearsalTexts } from './texts.en.ts';

/** Label that an open rehearsal has for its whole time. */
export const openLabel = 'agent rehearsal open';

/** Labels of the task, so that no other daemon of the repository starts it. */
export const rehearsalLabels = {
  bot_label: 'agent rehearsal',
  processing_label: 'agent rehearsal processing',
  done_label: 'agent rehearsal done',
  partial_label: 'agent rehearsal partial',
  failed_label: 'agent rehearsal failed',
  paused_label: 'agent rehearsal paused',
  stopped_label: 'agent rehearsal stopped',
} as const satisfies PlatformLabels;

/** Configuration of a rehearsal, and its directories. */
export interface RehearsalConfig {
  readonly loaded: LoadedConfig;
  /** Beside the configuration of the user, so that relative paths and `.env` are the same. */
  readonly file: string;
  /** Temporary directory, with the runs and the worktrees. */
  readonly directory: string;
  readonly platform: BuiltInName;
  readonly repository: string;
  /** True if the daemon of the rehearsal receives webhooks. */
  readonly hasWebhook: boolean;
  /** Removes the file, the runs and the worktrees. */
  readonly remove: () => Promise<void>;
  /** Removes the same without waiting, before the process exits. */
  readonly removeNow: () => void;
}

/** Options of a configuration. */
export interface RehearsalConfigOptions {
  /** Configuration of the user. */
  readonly config: string;
  readonly repository: string;
  /** Default: the platform that names the repository, or the only one. */
  readonly platform?: BuiltInName | undefined;
  readonly environment: Environment;
  readonly pollSeconds: number;
  readonly texts: RehearsalTexts;
}

/**
 * Writes the configuration of a rehearsal: that of the user with one repository, labels of its own, and directories that are removed
 * at the end.
 *
 * @throws ConfigError, RehearsalError if the configuration cannot be used
 */
export async function writeRehearsalConfig(options: RehearsalConfigOptions): Promise<RehearsalConfig> {
  const { config, repository, environment, texts } = options;
  const given = await loadConfig(config, environment);
  const platform = choosePlatform(given, options);
  const webhook = listWebhookSettings(given.config, given.environment).find(({ name }) => name === platform);
  const hasWebhook = webhook !== undefined && webhook.secret !== null && given.config.http.port !== null;
  if (hasWebhook) await requireFreePort(given.config.http, texts);
  const user = resolve(config);
  const written = toRecord(toSnakeCaseKeys(parseYaml(await readConfigFile(user), user))) ?? {};
  const directory = await mkdtemp(join(tmpdir(), directoryPrefix));
  const file = join(dirname(user), `${filePrefix}${randomBytes(4).toString('hex')}.yaml`);
  const remove = async () => {
    await rm(file, { force: true });
    await rm(directory, { recursive: true, force: true });
  };
  const removeNow = () => {
    rmSync(file, { force: true });
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const derived = deriveConfig(written, { ...options, platform, directory, hasWebhook });
    await writeFile(file, `${formatOwner(directory)}\n${stringify(derived)}`, {
      flag: 'wx',
      mode: 0o600,
    }).catch((cause: unknown) => {
      throw new RehearsalError(texts.configNotWritten(file, (cause as Error).message), { cause });
    });
    const loaded = await loadConfig(file, environment).catch((cause: unknown) => {
      if (!(cause instanceof ConfigError)) throw cause;
      const reason = cause.message.replaceAll(file, user);
      throw new RehearsalError(texts.repositoryRefused(repository, reason), { cause });
    });
    return { loaded, file, directory, platform, repository, hasWebhook, remove, removeNow };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** @throws RehearsalError if another process, such as a daemon, listens on the port of the webhooks */
async function requireFreePort(
  { host, port }: LoadedConfig['config']['http'],
  texts: RehearsalTexts,
): Promise<void> {
  const server = createServer();
  try {
    await once(server.listen({ host, port: port ?? 0 }), 'listening');
  } catch (cause) {
    throw new RehearsalError(texts.portTaken(`${host}:${port}`, (cause as Error).message), { cause });
  }
  server.close();
  await once(server, 'close');
}

function choosePlatform(
  { config }: LoadedConfig,
  { platform, repository, texts }: RehearsalConfigOptions,
): BuiltInName {
  const configured = builtInNames.filter((name) => config.platforms[name] !== null);
  if (platform !== undefined) {
    if (configured.includes(platform)) return platform;
    throw new RehearsalError(texts.platformMissing(platform));
  }
  const naming = configured.filter((name) => {
    const section = config.platforms[name];
    const places = section === null ? [] : entryOf(name).listPlaces(section);
    return places.some((place) => place.toLowerCase() === repository.toLowerCase());
  });
  const [only, ...others] = naming.length > 0 ? naming : configured;
  if (only === undefined) throw new RehearsalError(texts.noPlatform);
  if (others.length > 0) throw new RehearsalError(texts.platformNeeded(configured.join(', ')));
  return only;
}

type Section = Readonly<Record<string, unknown>>;

interface Derivation extends RehearsalConfigOptions {
  readonly platform: BuiltInName;
  readonly directory: string;
  readonly hasWebhook: boolean;
}

function deriveConfig(written: Section, to: Derivation): Section {
  const { platform, repository, directory, hasWebhook, pollSeconds } = to;
  const part = (name: string): Section => toRecord(written[name]) ?? {};
  const { exclude: _, ...section } = toRecord(part('platforms')[platform]) ?? {};
  const { storage: __, ...rest } = written;
  return {
    ...rest,
    platforms: {
      [platform]: {
        ...section,
        [entryOf(platform).init.list]: [repository],
        trigger: 'label',
        ...rehearsalLabels,
      },
    },
    poll_interval_seconds: pollSeconds,
    concurrency: 1,
    status_comment: true,
    report: { style: 'single' },
    // The user of a rehearsal approves of nothing: its plan begins at once.
    planning: { ...part('planning'), approval: 'off' },
    comment_detection: { ...part('comment_detection'), enabled: true, reactions: true },
    context_storage: { ...part('context_storage'), base_dir: join(directory, 'contexts') },
    pause_resume: { ...part('pause_resume'), enabled: true, signal_file: null, paused_dir: null },
    task_stop: { ...part('task_stop'), enabled: true, min_check_interval_seconds: 1 },
    workspaces: { ...part('workspaces'), base_dir: join(directory, 'workspaces') },
    follow_up: { until: '1d', checks: false, reviews: true },
    http: hasWebhook ? part('http') : { port: null },
    telemetry: { enabled: false },
    // A webhook that arrives is a line of this level.
    log: { level: 'debug' },
  };
}
