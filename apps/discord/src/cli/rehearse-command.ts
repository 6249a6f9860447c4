import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  Abandonment,
  checkOutputDirectory,
  cleanLine,
  countResults,
  createTerminalPrompt,
  formatCheck,
  formatLeftovers,
  interruptedCode,
  listenForInterruption,
  type Prompt,
  RehearsalError,
} from '@agent/rehearsal';
import { processLocale } from '@agent/text/locale';
import { BotError } from '../bot-error.ts';
import type { RehearsedPlace } from '../rehearse/checks/prepare.ts';
import { type RehearseOptions, rehearse } from '../rehearse/rehearse.ts';
import type { RehearsalTexts } from '../rehearse/texts.en.ts';
import type { Environment, Settings } from '../settings/parse-settings.ts';
import { type CommandFlags, type CommandIo, loadSettings } from './command-io.ts';

/** Options of the command line. */
export interface RehearseFlags extends CommandFlags {
  /** Id of the channel. Default: the only one on `ALLOWED_CHANNELS`. */
  readonly channel?: string | undefined;
  /** Path of a `rehearsal.json` that is compared with the simulators instead of a rehearsal. */
  readonly compare?: string | undefined;
  readonly keep?: boolean | undefined;
  /** Name or id of the server, as a confirmation. */
  readonly yes?: string | undefined;
  /** Directory of `rehearsal.json`. Default: the working directory. */
  readonly output?: string | undefined;
}

/** Surroundings of the command that tests replace. */
export interface RehearseSurroundings {
  readonly io: CommandIo;
  /** Null without a terminal. */
  readonly prompt: Prompt | null;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Receives what has to happen at a second Ctrl-C. */
  readonly abandonment: Abandonment;
  /** Options that differ from those of the program. Default none. */
  readonly overrides?: Partial<RehearseOptions> | undefined;
}

const waitLimits = {
  ...{ platformMs: 60_000, startMs: 120_000, modelMs: 600_000, stepMs: 600_000 },
  ...{ intervalMs: 2_000, freshMs: 10_000 },
};

/**
 * `agent-discord rehearse`: plays a conversation with the bot on a real server, checks each part, and removes what it created.
 *
 * @returns 0 if no check failed, 1 if one did, 130 after Ctrl-C
 * @throws BotError `settings`
 */
export async function rehearseCommand(flags: RehearseFlags, at: RehearseSurroundings): Promise<number> {
  const { io, prompt, signal, abandonment } = at;
  const { settings, texts: terminalTexts } = await loadSettings(flags, io);
  const texts = await loadRehearsalTexts(io.environment, settings);
  const channelId = readChannel(flags, settings, texts);
  const directory = resolve(flags.output ?? '.');
  try {
    await checkOutputDirectory(directory, texts.outputInvalid);
    return await runRehearsal(
      {
        ...{ settings, channelId, directory, texts, terminalTexts, signal, abandonment, waitLimits },
        ...{ keep: flags.keep === true, tell: io.print, environment: io.environment },
        command: toBotCommand(flags),
        clock: { now: Date.now, sleep: (ms, ended) => delay(ms, undefined, { signal: ended }) },
        confirm: (place) => confirm(place, { yes: flags.yes, prompt, texts }),
        onResult: (found) => io.print(formatCheck(found, texts.titles)),
        ...at.overrides,
      },
      io,
    );
  } catch (error) {
    if (!(error instanceof RehearsalError)) throw error;
    throw new BotError('settings', error.message, { cause: error });
  }
}

/** Runs the command with the terminal and the signals of this process. */
export async function runRehearse(flags: RehearseFlags, io: CommandIo): Promise<number> {
  if (flags.compare !== undefined) return compare(flags.compare, io);
  const abandonment = new Abandonment();
  const { abandoned } = await loadRehearsalTexts(io.environment, { LOCALE: 'auto' });
  const { signal, stop } = listenForInterruption(process, () => {
    const left = abandonment.run();
    if (left.length > 0) io.print([abandoned, ...left.map((one) => `  ${cleanLine(one)}`)].join('\n'));
  });
  const prompt = process.stdin.isTTY && process.stdout.isTTY ? createTerminalPrompt(signal) : null;
  try {
    return await rehearseCommand(flags, { io, prompt, signal, abandonment });
  } finally {
    stop();
  }
}

/** @throws BotError `settings` if the file cannot be read, or is not a record of a rehearsal */
async function compare(file: string, io: CommandIo): Promise<number> {
  const { compareRehearsal, RehearsalFileError } = await import('@agent/rehearsal/shapes');
  try {
    return await compareRehearsal(file, io);
  } catch (error) {
    if (error instanceof RehearsalFileError) throw new BotError('settings', error.message, { cause: error });
    throw error;
  }
}

async function runRehearsal(options: RehearseOptions, io: CommandIo): Promise<number> {
  const { texts } = options;
  const result = await rehearse(options);
  if (result === null) {
    io.warn(`\n${texts.notAnswered}`);
    return interruptedCode;
  }
  const { checks, leftovers, file, fileProblem } = result;
  if (leftovers.length > 0) io.print(`\n${formatLeftovers(leftovers, texts.leftTitle)}`);
  const count = (status: 'passed' | 'failed' | 'not-supported') => countResults(checks, status);
  io.print(`\n${texts.summary(count('passed'), count('failed'), count('not-supported'))}`);
  io.print(file === null ? texts.notWritten(fileProblem ?? '') : texts.written(file));
  if (result.isInterrupted) return interruptedCode;
  return file === null || count('failed') > 0 ? 1 : 0;
}

/** Speaks the language of `LOCALE`, else that of the terminal. */
async function loadRehearsalTexts(
  environment: Environment,
  { LOCALE }: Pick<Settings, 'LOCALE'>,
): Promise<RehearsalTexts> {
  const locale = LOCALE === 'auto' ? processLocale(environment) : LOCALE;
  return locale === 'ja'
    ? (await import('../rehearse/texts.ja.ts')).ja
    : (await import('../rehearse/texts.en.ts')).en;
}

/** @throws RehearsalError without the id of a channel */
function readChannel(
  { channel }: RehearseFlags,
  { ALLOWED_CHANNELS: allowed = [] }: Settings,
  texts: RehearsalTexts,
): string {
  const id = channel ?? (allowed.length === 1 ? allowed[0] : undefined);
  if (id === undefined) throw new BotError('settings', texts.channelNeeded);
  if (!/^\d{17,20}$/.test(id)) throw new BotError('settings', texts.channelInvalid);
  return id;
}

/** This program as the bot, with the same file of settings. */
function toBotCommand({ env }: RehearseFlags): RehearseOptions['command'] {
  const file = env === undefined ? [] : ['--env', env];
  return [process.execPath, ...process.execArgv, process.argv[1] ?? '', ...file, 'run'];
}

interface Asking {
  readonly yes: string | undefined;
  readonly prompt: Prompt | null;
  readonly texts: RehearsalTexts;
}

/** @returns false if the question was left by Ctrl-C. @throws RehearsalError if the answer is not the server */
async function confirm(
  { guild, channelName }: RehearsedPlace,
  { yes, prompt, texts }: Asking,
): Promise<boolean> {
  if (yes === undefined && prompt === null) throw new RehearsalError(texts.confirmNeeded(guild.name));
  const asked = (): Promise<string | null> | undefined =>
    prompt?.(texts.confirm(guild.name, channelName)).catch((error: Error) => {
      if (error.name === 'AbortError') return null;
      throw error;
    });
  const answer = yes ?? (await asked()) ?? null;
  if (answer === null) return false;
  const given = answer.trim().toLowerCase();
  if (given !== guild.name.trim().toLowerCase() && given !== guild.id)
    throw new RehearsalError(texts.notConfirmed(guild.name));
  return true;
}
