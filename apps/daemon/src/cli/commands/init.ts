import { access, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Locale } from '@agent/text';
import { processLocale } from '@agent/text/locale';
import { examineSandbox } from '@agent/workspace/sandbox';
import { loadConfig, parseConfig } from '../../config/load-config.ts';
import {
  type AskAnswersOptions,
  askAnswers,
  type GivenAnswers,
  type InitAnswers,
  listSecretNames,
  type Prompt,
  splitList,
} from '../../init/ask-answers.ts';
import { choosePreset } from '../../init/choose-preset.ts';
import {
  findContextLength,
  findModelServers,
  type PresetName,
  toPresetUrl,
} from '../../init/find-model-servers.ts';
import { formatAppPage, keyFile } from '../../init/format-app-page.ts';
import { appIdPlaceholder, formatConfig, formatEnvExample } from '../../init/format-config.ts';
import { offerLabels } from '../../init/offer-labels.ts';
import type { InitTexts } from '../../init/texts.en.ts';
import { CommandError, type CommandIo, explainErrors } from '../command-io.ts';

/** Options and arguments of the command line. */
export interface InitFlags {
  readonly config: string;
  readonly platform?: InitAnswers['platform'] | undefined;
  readonly repository?: string | undefined;
  readonly trigger?: InitAnswers['trigger'] | undefined;
  readonly baseUrl?: string | undefined;
  readonly llmPreset?: NonNullable<InitAnswers['preset']> | undefined;
  readonly llmBaseUrl?: string | undefined;
  readonly model?: string | undefined;
  readonly api?: 'responses' | 'chat' | undefined;
  /** Name of a GitHub App. */
  readonly app?: string | undefined;
  /** True for an App that can change workflows and rerun jobs. */
  readonly appWorkflows?: boolean | undefined;
  /** True to create the labels in all repositories. */
  readonly createLabels?: boolean | undefined;
  readonly force?: boolean | undefined;
  readonly yes?: boolean | undefined;
}

/** Surroundings of the command. */
export interface InitParts {
  readonly io: CommandIo;
  /** Null if this is not a terminal. */
  readonly prompt: Prompt | null;
  /** Requests lists of models on this machine. Default the system's. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Number of the account; 0 is root. Default that of this process. */
  readonly userId?: number | undefined;
}

/**
 * `agent-daemon init`: writes a commented configuration and an `.env.example`. On a terminal it asks for everything that the options
 * do not give; elsewhere, and with `--yes`, it uses defaults. If commands cannot be isolated on this machine it says so, in its output
 * and in the file, and does not weaken the sandbox.
 *
 * @returns the exit code
 * @throws CommandError if an option is missing, or a file exists
 * @throws ConfigError if the answers do not make a valid configuration
 */
export async function initCommand(
  flags: InitFlags,
  { io, prompt, userId, fetch = globalThis.fetch }: InitParts,
): Promise<number> {
  const texts = await loadInitTexts(processLocale(io.environment));
  const file = resolve(flags.config);
  const envFile = join(dirname(file), '.env.example');
  const pageFile = join(dirname(file), 'github-app.html');
  const overwrite = flags.force === true;
  const wanted = [file, envFile, ...(flags.app === undefined ? [] : [pageFile])];
  const existing = overwrite ? [] : await listExisting(wanted);
  if (existing.length > 0) throw new CommandError(texts.exists(existing.join(', ')));
  const given = toGiven(flags);
  const isPresetOpen = given.preset === undefined && !given.llmBaseUrl;
  const servers = isPresetOpen ? await findModelServers(fetch) : [];
  const surroundings = { texts, servers, environment: io.environment };
  const answers =
    prompt === null || flags.yes === true
      ? withDefaults(given, { ...surroundings, say: io.print })
      : await askAnswers(given, { prompt, say: io.print, ...surroundings }).catch((error: Error) => {
          // Ctrl-C and Ctrl-D.
          throw error.name === 'AbortError' ? new CommandError(texts.aborted) : error;
        });
  if (answers.app !== null && answers.platform !== 'github') throw new CommandError(texts.appElsewhere);
  const page = formatAppPage(answers, { ...texts, isElevated: flags.appWorkflows === true });
  const { PATH: path } = io.environment;
  const { obstacles } = await examineSandbox({ mode: 'required', path, userId });
  const kinds = obstacles.map(({ kind }) => kind);
  const contextLength = await findContextLength(answers, fetch);
  const text = formatConfig(answers, { texts, obstacles: kinds, contextLength });
  // The daemon must accept what is written, once the App has its ID.
  const checked = answers.app === null ? text : text.replace(`app_id: ${appIdPlaceholder}`, 'app_id: 1');
  parseConfig(checked, texts.notWritten(file));
  const files = [
    { path: file, text },
    { path: envFile, text: formatEnvExample(answers, texts) },
    ...(page === null ? [] : [{ path: pageFile, text: page }]),
  ];
  await writeNewFiles(files, { overwrite });
  for (const { path } of files) io.print(texts.written(path));
  if (page !== null) io.print(`\n${texts.appPage.steps(pageFile, keyFile)}`);
  for (const kind of kinds) io.print(`\n${texts.obstacles[kind]}`);
  const areCreated = await offerLabels(answers, {
    ...{ texts, prompt: flags.yes === true ? null : prompt, isWanted: flags.createLabels === true },
    readEnvironment: async () => (await loadConfig(file, io.environment)).environment,
    create: () => createLabelsNow(file, io),
  });
  const areLabelsMissing = answers.trigger === 'label' && areCreated !== true;
  io.print(`\n${texts.next(listSecretNames(answers).join(', '), areLabelsMissing)}`);
  return areCreated === false ? 1 : 0;
}

/** Creates the labels. An error for users is printed: the files are written, and the command "labels" can do it later. */
async function createLabelsNow(config: string, io: CommandIo): Promise<boolean> {
  const create = async () => (await import('./labels.ts')).labelsCommand({ config }, io);
  return (await explainErrors(create, io)) === 0;
}

/** An empty option, such as from an unset variable of a shell, counts as not given. */
function toGiven(flags: InitFlags): GivenAnswers {
  const repositories = splitList(flags.repository ?? '');
  return {
    platform: flags.platform,
    repositories: repositories.length === 0 ? undefined : repositories,
    trigger: flags.trigger,
    baseUrl: flags.baseUrl,
    preset: flags.llmPreset,
    model: flags.model || undefined,
    llmBaseUrl: flags.llmBaseUrl,
    api: flags.api,
    app: flags.app,
  };
}

function withDefaults(
  given: GivenAnswers,
  { texts, servers, environment, say }: Omit<AskAnswersOptions, 'prompt'>,
): InitAnswers {
  const { repositories, model } = given;
  if (repositories === undefined || model === undefined) {
    const missing = [
      ...(repositories === undefined ? ['--repository'] : []),
      ...(model === undefined ? ['--model'] : []),
    ];
    throw new CommandError(texts.missing(missing.join(', ')));
  }
  const choose = (): PresetName => {
    const choice = choosePreset({ model, servers, environment });
    say(texts.presetChosen({ ...choice, model, baseUrl: toPresetUrl(choice.preset) }));
    return choice.preset;
  };
  return {
    platform: given.platform ?? 'github',
    repositories,
    trigger: given.trigger ?? 'label',
    baseUrl: given.baseUrl ?? null,
    preset: given.preset ?? (given.llmBaseUrl ? null : choose()),
    model,
    llmBaseUrl: given.llmBaseUrl ?? null,
    api: given.api ?? null,
    app: given.app ?? null,
  };
}

interface NewFile {
  readonly path: string;
  readonly text: string;
}

/** Lists the paths that exist. */
async function listExisting(paths: readonly string[]): Promise<readonly string[]> {
  const there = await Promise.all(
    paths.map((path) =>
      access(path).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return false;
          throw error;
        },
      ),
    ),
  );
  return paths.filter((_, index) => there[index]);
}

/** Writes the files. Without `overwrite` the system itself refuses to replace one. */
async function writeNewFiles(
  files: readonly NewFile[],
  { overwrite }: { readonly overwrite: boolean },
): Promise<void> {
  for (const { path, text } of files) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: overwrite ? 'w' : 'wx' });
  }
}

/** Loads the texts of a language, and of that alone. */
async function loadInitTexts(locale: Locale): Promise<InitTexts> {
  return locale === 'ja'
    ? (await import('../../init/texts.ja.ts')).ja
    : (await import('../../init/texts.en.ts')).en;
}
