import { randomBytes } from 'node:crypto';
import {
  type Abandonment,
  type CheckResult,
  CheckResults,
  endWithParentArguments,
  type Leftover,
  type RehearsalClock,
  RehearsalEnd,
  RehearsedProcess,
  Relay,
  type ServerCheck,
  serverChecks,
  type Verdict,
} from '@agent/rehearsal';
import { openShapes } from '@agent/rehearsal/shapes';
import manifest from '../../package.json' with { type: 'json' };
import type { Environment, Settings } from '../settings/parse-settings.ts';
import type { TerminalTexts } from '../terminal-texts.en.ts';
import { checkCrash, checkDeletion, checkEdit, checkQueue } from './checks/check-changes.ts';
import { checkConversation, checkMention, checkStart } from './checks/check-conversation.ts';
import { checkLongAnswer, checkRateLimit, checkReport } from './checks/check-limits.ts';
import { prepare, type RehearsedPlace } from './checks/prepare.ts';
import { cleanUp, listCreated } from './clean-up.ts';
import { createAdvice, type ServerCheckParts } from './create-advice.ts';
import { DiscordRequests } from './discord-requests.ts';
import { type CreatedItems, RehearsalContext, type WaitLimits } from './rehearsal-context.ts';
import type { RehearsalTexts } from './texts.en.ts';

/** Options of a rehearsal. */
export interface RehearseOptions {
  readonly settings: Settings;
  readonly channelId: string;
  /** True to leave everything that the rehearsal creates. */
  readonly keep: boolean;
  /** Directory of `rehearsal.json`. */
  readonly directory: string;
  /** Command that starts the bot. */
  readonly command: readonly [program: string, ...args: string[]];
  /** Environment of the bot. */
  readonly environment: Environment;
  readonly texts: RehearsalTexts;
  readonly terminalTexts: TerminalTexts;
  readonly waitLimits: WaitLimits;
  readonly clock: RehearsalClock;
  /** Asks for a confirmation before anything is written. */
  readonly confirm: (place: RehearsedPlace) => Promise<boolean>;
  readonly onResult: (result: CheckResult<ServerCheck>) => void;
  readonly tell: (text: string) => void;
  /** Interrupts the checks; the clean-up follows. */
  readonly signal: AbortSignal;
  /** Receives what has to happen if the process exits before the clean-up. */
  readonly abandonment: Abandonment;
}

/** Result of a rehearsal. */
export interface Rehearsal {
  readonly checks: readonly CheckResult<ServerCheck>[];
  readonly leftovers: readonly Leftover[];
  /** Path of `rehearsal.json`; null if it could not be written. */
  readonly file: string | null;
  /** Why it could not be written; null if it is written. */
  readonly fileProblem: string | null;
  readonly isInterrupted: boolean;
}

const stopPatienceMs = 5_000;

/** Rehearses on a real server. @returns null if it was not confirmed */
export async function rehearse(options: RehearseOptions): Promise<Rehearsal | null> {
  const { settings, texts, signal, clock, abandonment } = options;
  await using stack = new AsyncDisposableStack();
  const recorder = openShapes({ directory: options.directory });
  stack.defer(recorder.remove);
  abandonment.add(recorder.discardNow);
  const results = new CheckResults(serverChecks, options.onResult);
  const openRequests = (ended: AbortSignal): DiscordRequests =>
    new DiscordRequests({
      ...{ apiUrl: settings.DISCORD_API_URL, token: settings.DISCORD_TOKEN },
      ...{ fetch: recorder.fetch, sleep: clock.sleep, signal: ended },
    });
  const checks = { results, texts, clock, signal, advise: createAdvice(texts) };
  const parts: RehearsalParts = {
    options,
    openRequests,
    checks,
    recorder,
  };
  let leftovers: readonly Leftover[] = [];
  try {
    const place = await prepare({
      ...{ ...checks, requests: openRequests(signal), settings, fetch: recorder.fetch },
      ...{ terminalTexts: options.terminalTexts, channelId: options.channelId },
    });
    if (place !== null) {
      if (!(await options.confirm(place))) return null;
      leftovers = await runAndCleanUp(parts, place);
    }
  } catch (error) {
    // What was created is removed by then.
    if (!signal.aborted) throw error;
  }
  results.skipOthers(texts.notReached);
  const versions = { program: manifest.version, node: process.versions.node, platform: 'discord' };
  const written = await recorder.finish({ checks: results.list(), versions }).then(
    (file) => ({ file, fileProblem: null }),
    (error: Error) => ({ file: null, fileProblem: error.message }),
  );
  return { checks: results.list(), leftovers, ...written, isInterrupted: signal.aborted };
}

interface RehearsalParts {
  readonly options: RehearseOptions;
  readonly openRequests: (signal: AbortSignal) => DiscordRequests;
  readonly checks: ServerCheckParts;
  readonly recorder: ReturnType<typeof openShapes>;
}

async function runAndCleanUp(parts: RehearsalParts, place: RehearsedPlace): Promise<readonly Leftover[]> {
  const { options, openRequests, checks, recorder } = parts;
  const { settings, texts, clock, signal, channelId, abandonment } = options;
  const { guild, bot, channelName } = place;
  await using stack = new AsyncDisposableStack();
  const relay = async (target: string): Promise<Relay> => {
    const opened = await Relay.open({ target, fetch: recorder.forward, now: clock.now });
    stack.defer(() => opened.close());
    return opened;
  };
  const discord = await relay(settings.DISCORD_API_URL);
  const model = settings.MODEL_MODULE === undefined ? await relay(settings.LM_BASE_URL) : null;
  const created: CreatedItems = {
    ...{ id: randomBytes(3).toString('hex'), guildId: guild.id, channelId },
    ...{ isAsked: false, questions: [], threadId: null },
  };
  abandonment.describeWith(() => describeCreated(created, texts));
  const [program, ...args] = options.command;
  const environment = { ...options.environment, ...toBotSettings(options, { discord, model }) };
  const child = new RehearsedProcess({
    program,
    args: [...endWithParentArguments(), ...args],
    environment,
  });
  abandonment.add(() => child.killNow());
  const context = new RehearsalContext({
    ...{ ...checks, requests: openRequests(signal), bot, channelName, child, discord, model, created },
    ...{ waitLimits: options.waitLimits, tell: options.tell },
  });
  options.tell(texts.intro(guild.name, channelName, bot.name));
  const failure = await runChecks(context, settings).then(
    () => null,
    (error: unknown) => (error instanceof RehearsalEnd ? null : { error }),
  );
  if (signal.aborted) options.tell(options.keep ? texts.interruptedKept : texts.interrupted);
  await child.stop(stopPatienceMs);
  const leftovers = await removeCreated(parts, context);
  if (failure !== null && !signal.aborted) throw failure.error;
  return leftovers;
}

/** Settings that differ for the bot of a rehearsal: it answers in one channel, and its requests pass the relays. */
function toBotSettings(
  { channelId, settings, waitLimits }: RehearseOptions,
  { discord, model }: { readonly discord: Relay; readonly model: Relay | null },
): Environment {
  // A request to the model waits for up to two steps of the user, and for what the bot does meanwhile.
  const heldMs = 2 * waitLimits.stepMs + waitLimits.platformMs;
  const heldSeconds = settings.LM_TIMEOUT_SECONDS + Math.ceil(heldMs / 1_000);
  return {
    ...{ DISCORD_API_URL: discord.url, ALLOWED_CHANNELS: channelId, LOG_FORMAT: 'json' },
    ...(model === null
      ? {}
      : { LM_BASE_URL: model.url, LM_TIMEOUT_SECONDS: String(Math.min(heldSeconds, 3_600)) }),
  };
}

async function runChecks(context: RehearsalContext, settings: Settings): Promise<void> {
  if (!(await checkStart(context)) || !(await checkMention(context))) return;
  await checkConversation(context);
  await checkEdit(context);
  await checkDeletion(context);
  await checkQueue(context);
  await checkCrash(context);
  await checkLongAnswer(context, settings.MAX_ANSWER_CHARS);
  await checkRateLimit(context);
  await checkReport(context);
}

async function removeCreated(
  { options, openRequests, checks }: RehearsalParts,
  context: RehearsalContext,
): Promise<readonly Leftover[]> {
  const { texts, clock, keep } = options;
  const { created, bot } = context.parts;
  const { results, advise } = checks;
  if (keep) {
    results.add('clean-up', { status: 'skipped', text: texts.kept });
    return listCreated(created, texts).map((item) => ({
      ...item,
      reason: texts.keptReason,
      isPermanent: true,
    }));
  }
  const beginAt = clock.now();
  const requests = openRequests(new AbortController().signal);
  const leftovers = await cleanUp({ requests, botId: bot.id, created, texts });
  const verdict = judgeCleanUp(leftovers, created, texts);
  results.add('clean-up', advise('clean-up', verdict), clock.now() - beginAt);
  return leftovers;
}

function judgeCleanUp(
  leftovers: readonly Leftover[],
  { isAsked }: CreatedItems,
  texts: RehearsalTexts,
): Verdict {
  if (leftovers.length === 0)
    return { status: 'passed', text: isAsked ? texts.removed : texts.nothingCreated };
  const isPermanent = leftovers.every((one) => one.isPermanent);
  return { status: isPermanent ? 'not-supported' : 'failed', text: texts.leftCount(leftovers.length) };
}

/** Describes what a rehearsal has created so far, one line for each item. */
function describeCreated(created: CreatedItems, texts: RehearsalTexts): readonly string[] {
  return listCreated(created, texts).map(({ what, url }) => `${what}: ${url}`);
}
