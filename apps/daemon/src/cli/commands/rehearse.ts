import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { BuiltInName } from '@agent/orchestrator/platforms/names';
import {
  Abandonment,
  checkOutputDirectory,
  countResults,
  createTerminalPrompt,
  formatCheck,
  formatLeftovers,
  interruptedCode,
  listenForInterruption,
} from '@agent/rehearsal';
import { processLocale } from '@agent/text/locale';
import { loadConfig } from '../../config/load-config.ts';
import { loadDoctorTexts } from '../../doctor/checks.ts';
import type { Prompt } from '../../init/ask-answers.ts';
import { type RehearseOptions, rehearse } from '../../rehearse/rehearse.ts';
import { en, type RehearsalTexts } from '../../rehearse/texts.en.ts';
import { cleanLine } from '../../text/terminal-text.ts';
import { CommandError, type CommandIo } from '../command-io.ts';

/** Options of the command line. */
export interface RehearseFlags {
  readonly config: string;
  /** `owner/name`, or `group/project`. Needed unless a file is compared. */
  readonly repository?: string | undefined;
  /** Path of a `rehearsal.json` that is compared with the simulators instead of a rehearsal. */
  readonly compare?: string | undefined;
  readonly platform?: BuiltInName | undefined;
  /** Variable with the token of the account that plays the user. */
  readonly personTokenEnv?: string | undefined;
  readonly keep?: boolean | undefined;
  /** Name of the repository, as a confirmation. */
  readonly yes?: string | undefined;
  /** Directory of `rehearsal.json`. Default: the working directory. */
  readonly output?: string | undefined;
  /** An option of `run` that is refused here. */
  readonly observe?: boolean | undefined;
}

/** Surroundings of the command that tests replace. */
export interface RehearseSurroundings {
  readonly io: CommandIo;
  /** Null without a terminal. */
  readonly prompt: Prompt | null;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Receives what has to happen at a second Ctrl-C. Default: nothing happens. */
  readonly abandonment?: Abandonment | undefined;
  /** Options that differ from those of the program. Default none. */
  readonly overrides?: Partial<RehearseOptions> | undefined;
}

const defaults = {
  pollSeconds: 5,
  waitLimits: {
    ...{ platformMs: 120_000, startMs: 180_000, modelMs: 900_000 },
    ...{ intervalMs: 3_000, freshMs: 10_000, stopMs: 45_000 },
  },
};

/**
 * `agent-daemon rehearse`: plays a whole run in a real repository, checks each part, and removes what it created.
 *
 * @returns 0 if no check failed, 1 if one did, 130 after Ctrl-C
 */
export async function rehearseCommand(flags: RehearseFlags, at: RehearseSurroundings): Promise<number> {
  const { io, prompt, signal, abandonment, overrides } = at;
  const locale = processLocale(io.environment);
  const texts = await loadRehearsalTexts(locale);
  const repository = readRepository(flags, texts);
  const personToken = await readPersonToken(flags, { io, texts, prompt });
  const directory = resolve(flags.output ?? '.');
  await checkOutputDirectory(directory, texts.outputInvalid);
  if (!(await confirm({ repository, yes: flags.yes }, { prompt, texts }))) {
    io.warn(`\n${texts.notAnswered}`);
    return interruptedCode;
  }
  const childEnvironment = { ...io.environment };
  if (flags.personTokenEnv !== undefined) delete childEnvironment[flags.personTokenEnv];
  const result = await rehearse({
    ...{ config: flags.config, repository, platform: flags.platform, personToken },
    ...{ keep: flags.keep === true, directory, ...defaults },
    command: [process.execPath, ...process.execArgv, process.argv[1] ?? ''],
    ...{ environment: io.environment, childEnvironment, texts },
    doctorTexts: await loadDoctorTexts(locale),
    clock: { now: io.now, sleep: (ms, ended) => delay(ms, undefined, { signal: ended }) },
    onResult: (found) => io.print(formatCheck(found, texts.titles)),
    ...{ tell: io.print, signal, abandonment },
    ...overrides,
  });
  if (result.leftovers.length > 0) io.print(`\n${formatLeftovers(result.leftovers, texts.leftTitle)}`);
  const counts = (['passed', 'failed', 'not-supported'] as const).map((status) =>
    countResults(result.checks, status),
  ) as [number, number, number];
  io.print(`\n${texts.summary(...counts)}`);
  const { file, fileProblem } = result;
  io.print(file === null ? texts.notWritten(fileProblem ?? '') : texts.written(file));
  if (result.isInterrupted) return interruptedCode;
  return file === null || result.checks.some(({ status }) => status === 'failed') ? 1 : 0;
}

/** Runs the command with the terminal and the signals of this process. */
export async function runRehearse(flags: RehearseFlags, io: CommandIo): Promise<number> {
  if (flags.compare !== undefined) {
    const { compareRehearsal } = await import('@agent/rehearsal/shapes');
    return compareRehearsal(flags.compare, io);
  }
  const abandonment = new Abandonment();
  const texts = await loadRehearsalTexts(processLocale(io.environment));
  const { signal, stop } = listenForInterruption(process, () => {
    const left = abandonment.run();
    if (left.length > 0) io.print([texts.abandoned, ...left.map((one) => `  ${cleanLine(one)}`)].join('\n'));
  });
  const prompt = process.stdin.isTTY && process.stdout.isTTY ? createTerminalPrompt(signal) : null;
  try {
    return await rehearseCommand(flags, { io, prompt, signal, abandonment });
  } finally {
    stop();
  }
}

async function loadRehearsalTexts(locale: 'en' | 'ja'): Promise<RehearsalTexts> {
  return locale === 'ja' ? (await import('../../rehearse/texts.ja.ts')).ja : en;
}

/** @throws CommandError without the name of a repository, or with an option of another command */
function readRepository({ repository, observe }: RehearseFlags, texts: RehearsalTexts): string {
  if (observe === true) throw new CommandError(texts.observeElsewhere);
  if (repository === undefined) throw new CommandError(texts.repositoryNeeded);
  const isName = /^[^\s/:]+(?:\/[^\s/:]+)+$/.test(repository);
  if (!isName || repository.split('/').some((part) => /^\.+$/.test(part)))
    throw new CommandError(texts.repositoryInvalid(tokenPrefix.test(repository) ? '…' : repository));
  return repository;
}

/** Beginnings of the tokens of GitHub and GitLab. */
const tokenPrefix = /^(?:gh[a-z]_|github_pat_|gl[a-z]+-)/i;

interface Asking {
  readonly prompt: Prompt | null;
  readonly texts: RehearsalTexts;
}

async function readPersonToken(
  { config, personTokenEnv: name }: RehearseFlags,
  { io, texts, prompt }: Asking & { readonly io: CommandIo },
): Promise<string | null> {
  if (name === undefined) {
    if (prompt === null) throw new CommandError(texts.personNeeded);
    return null;
  }
  if (!/^[A-Za-z_]\w*$/.test(name) || tokenPrefix.test(name))
    throw new CommandError(texts.personTokenNameInvalid);
  const { environment } = await loadConfig(config, io.environment);
  const token = environment[name]?.trim() ?? '';
  if (token === '') throw new CommandError(texts.personTokenMissing(name));
  return token;
}

/** @returns false if the question was left by Ctrl-C. @throws CommandError if the answer is not the repository */
async function confirm(
  { repository, yes }: { readonly repository: string; readonly yes: string | undefined },
  { prompt, texts }: Asking,
): Promise<boolean> {
  if (yes === undefined && prompt === null) throw new CommandError(texts.confirmNeeded(repository));
  const asked = (): Promise<string | null> | undefined =>
    prompt?.(texts.confirm(repository)).catch((error: Error) => {
      if (error.name === 'AbortError') return null;
      throw error;
    });
  const answer = yes ?? (await asked()) ?? null;
  if (answer === null) return false;
  if (answer.trim().toLowerCase() !== repository.toLowerCase())
    throw new CommandError(texts.notConfirmed(repository));
  return true;
}
