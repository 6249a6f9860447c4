import { access, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Locale } from '@agent/text';
import { processLocale } from '@agent/text/locale';
import { examineSandbox } from '@agent/workspace/sandbox';
import { parseConfig } from '../../config/load-config.ts';
import {
  askAnswers,
  type GivenAnswers,
  type InitAnswers,
  listSecretNames,
  splitList,
} from '../../init/ask-answers.ts';
import { formatAppPage, keyFile } from '../../init/format-app-page.ts';
import { appIdPlaceholder, formatConfig, formatEnvExample } from '../../init/format-config.ts';
import type { InitTexts } from '../../init/texts.en.ts';
import { CommandError, type CommandIo, type Prompt } from '../command-io.ts';

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
  readonly force?: boolean | undefined;
  readonly yes?: boolean | undefined;
}

/** Surroundings of the command. */
export interface InitParts {
  readonly io: CommandIo;
  /** Null where nobody can be asked. */
  readonly prompt: Prompt | null;
  /** Number of the account; 0 is root. Default that of this process. */
  readonly userId?: number | undefined;
}

/**
 * `agent-daemon init`: writes a commented configuration and an `.env.example`. Asks on a terminal for what the
 * options leave open; elsewhere, and with `--yes`, takes defaults. Weakens nothing where commands cannot be kept in on this
 * machine, but says so, there and in the file.
 *
 * @returns the exit code
 * @throws CommandError when something is missing, or a file is there already
 * @throws ConfigError when what was given makes no valid configuration
 */
export async function initCommand(flags: InitFlags, { io, prompt, userId }: InitParts): Promise<number> {
  const texts = await loadInitTexts(processLocale(io.environment));
  const file = resolve(flags.config);
  const envFile = join(dirname(file), '.env.example');
  const pageFile = join(dirname(file), 'github-app.html');
  const overwrite = flags.force === true;
  const wanted = [file, envFile, ...(flags.app === undefined ? [] : [pageFile])];
  const existing = overwrite ? [] : await listExisting(wanted);
  if (existing.length > 0) throw new CommandError(texts.exists(existing.join(', ')));
  const given = toGiven(flags);
  const answers =
    prompt === null || flags.yes === true
      ? withDefaults(given, texts)
      : await askAnswers(given, { prompt, say: io.print, texts }).catch((error: Error) => {
          // Ctrl-C and Ctrl-D.
          throw error.name === 'AbortError' ? new CommandError(texts.aborted) : error;
        });
  if (answers.app !== null && answers.platform !== 'github') throw new CommandError(texts.appElsewhere);
  const page = formatAppPage(answers, texts);
  const { PATH: path } = io.environment;
  const { obstacles } = await examineSandbox({ mode: 'required', path, userId });
  const kinds = obstacles.map(({ kind }) => kind);
  const text = formatConfig(answers, { texts, obstacles: kinds });
  // What is written must be what the daemon takes, once the App has its number.
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
  io.print(`\n${texts.next(listSecretNames(answers).join(', '))}`);
  return 0;
}

/** An option without a word in it, such as that of a variable of a shell that is not set, gives nothing. */
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

function withDefaults(given: GivenAnswers, texts: InitTexts): InitAnswers {
  const { repositories, model } = given;
  if (repositories === undefined || model === undefined) {
    const missing = [
      ...(repositories === undefined ? ['--repository'] : []),
      ...(model === undefined ? ['--model'] : []),
    ];
    throw new CommandError(texts.missing(missing.join(', ')));
  }
  return {
    platform: given.platform ?? 'github',
    repositories,
    trigger: given.trigger ?? 'label',
    baseUrl: given.baseUrl ?? null,
    preset: given.preset ?? (given.llmBaseUrl ? null : 'openai'),
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

/** Those of the paths where something is already. */
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

/** Writes the files; without `overwrite` the system itself refuses where something is already. */
async function writeNewFiles(
  files: readonly NewFile[],
  { overwrite }: { readonly overwrite: boolean },
): Promise<void> {
  for (const { path, text } of files) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: overwrite ? 'w' : 'wx' });
  }
}

/** The texts of a language; only that language is loaded. */
async function loadInitTexts(locale: Locale): Promise<InitTexts> {
  return locale === 'ja'
    ? (await import('../../init/texts.ja.ts')).ja
    : (await import('../../init/texts.en.ts')).en;
}
