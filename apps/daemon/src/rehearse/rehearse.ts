import { randomBytes } from 'node:crypto';
import { access, constants, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { BuiltInName } from '@agent/orchestrator/platforms';
import type { Environment } from '@agent/workspace';
import { pino } from 'pino';
import manifest from '../../package.json' with { type: 'json' };
import { openStorage } from '../config/open-storage.ts';
import type { DoctorTexts } from '../doctor/texts.en.ts';
import { type Abandonment, describeTraces } from './abandonment.ts';
import type { AccountChecks, AgentAccount } from './check-accounts.ts';
import { type CheckResult, CheckSheet, type Verdict } from './check-sheet.ts';
import { cleanUp, type Leftover, listKept } from './clean-up.ts';
import { DaemonChild } from './daemon-child.ts';
import { type Cast, type CastOptions, deskOf, openCast, type RehearsalParts } from './open-cast.ts';
import { writeRehearsalConfig } from './rehearsal-config.ts';
import { RehearsalError } from './rehearsal-error.ts';
import { openRehearsedRun } from './run-record.ts';
import { checkDeletion, playComments } from './scenes/comments.ts';
import { begin, playCrash, playPause, playStop, prepareRepository } from './scenes/control.ts';
import { checkReport, checkWebhook, playDelivery } from './scenes/delivery.ts';
import { openShapes, recorderArguments } from './shapes/index.ts';
import { Stage, type Traces } from './stage.ts';
import type { RehearsalTexts } from './texts.en.ts';

/** Options of a rehearsal. */
export interface RehearseOptions extends CastOptions {
  /** Configuration of the user. */
  readonly config: string;
  readonly repository: string;
  readonly platform?: BuiltInName | undefined;
  /** True to leave everything that the rehearsal creates. */
  readonly keep: boolean;
  /** Directory of `rehearsal.json`. */
  readonly directory: string;
  /** This program, with the arguments of Node, up to the name of a command. */
  readonly command: readonly [program: string, ...args: string[]];
  readonly environment: Environment;
  /** Environment of the daemon. */
  readonly childEnvironment: Environment;
  readonly doctorTexts: DoctorTexts;
  readonly pollSeconds: number;
  /** Longest time for one request of the clean-up that gets no answer, in milliseconds. Default 20,000. */
  readonly cleanUpPatienceMs?: number | undefined;
  readonly onResult: (result: CheckResult) => void;
  /** Receives what has to happen if the process exits before the clean-up. Default: nothing happens. */
  readonly abandonment?: Abandonment | undefined;
}

/** Result of a rehearsal. */
export interface Rehearsal {
  readonly checks: readonly CheckResult[];
  readonly leftovers: readonly Leftover[];
  /** Path of `rehearsal.json`; null if it could not be written. */
  readonly file: string | null;
  /** Why it could not be written; null if it is written. */
  readonly fileProblem: string | null;
  readonly isInterrupted: boolean;
}

const stopPatienceMs = 5_000;

/** Plays the whole story in a real repository: checks, run, clean-up. @throws ConfigError, RehearsalError if it cannot begin */
export async function rehearse(options: RehearseOptions): Promise<Rehearsal> {
  const { clock, onResult } = options;
  await using stack = new AsyncDisposableStack();
  const config = await writeRehearsalConfig(options);
  stack.defer(config.remove);
  const storage = await openStorage(config.loaded, { now: clock.now, logger: pino({ level: 'silent' }) });
  stack.defer(() => storage.close());
  const sheet = new CheckSheet(onResult);
  const id = randomBytes(8).toString('hex');
  const traces: Traces = {
    ...{ id, isIssueRequested: false, labels: [] },
    ...{ issue: null, request: null, branch: null },
  };
  const recorder = openShapes({ directory: options.directory });
  stack.defer(recorder.remove);
  const parts = { options, config, sheet, traces, recorder };
  prepareAbandonment(parts);
  let leftovers: readonly Leftover[] = [];
  try {
    const checks: AccountChecks = {
      ...{ loaded: config.loaded, storage, processEnvironment: options.environment },
      ...{ texts: options.texts, doctorTexts: options.doctorTexts, now: clock.now, signal: options.signal },
    };
    const cast = await openCast(parts, checks);
    if (cast !== null) {
      const openRun = (url: string) => openRehearsedRun({ storage, url, now: clock.now });
      leftovers = await playAndTidy(parts, { ...cast, openRun });
    }
  } catch (error) {
    // What was created is removed by then.
    if (!options.signal.aborted) throw error;
  }
  sheet.skipOthers(options.texts.notReached);
  const versions = { program: manifest.version, node: process.versions.node, platform: config.platform };
  const written = await recorder.finish({ checks: sheet.list(), versions }).then(
    (file) => ({ file, fileProblem: null }),
    (error: Error) => ({ file: null, fileProblem: error.message }),
  );
  return { checks: sheet.list(), leftovers, ...written, isInterrupted: options.signal.aborted };
}

function prepareAbandonment({ options, config, traces, recorder }: PlayedParts): void {
  const { abandonment, texts } = options;
  abandonment?.add(config.removeNow);
  abandonment?.add(recorder.discardNow);
  const branchPrefix = `${config.loaded.config.branch_prefix}/`;
  abandonment?.describeWith(() => describeTraces(traces, texts, { branchPrefix }));
}

/** Parts with all options. */
interface PlayedParts extends RehearsalParts {
  readonly options: RehearseOptions;
}

async function playAndTidy(
  parts: PlayedParts,
  { account, person, openRun }: Cast & Pick<Stage['parts'], 'openRun'>,
): Promise<readonly Leftover[]> {
  const { options, config, sheet, traces, recorder } = parts;
  const { clock, texts, patience, signal } = options;
  const [program, ...args] = options.command;
  const child = new DaemonChild({
    program,
    args: [
      ...recorderArguments(),
      ...args,
      'run',
      '--no-live',
      '--log-format',
      'json',
      '--config',
      config.file,
    ],
    environment: { ...options.childEnvironment, ...recorder.environment },
  });
  options.abandonment?.add(() => child.killNow());
  const stage = new Stage({
    ...{ platform: config.platform, agent: deskOf(parts, account.token), agentLogin: account.login },
    ...{ person, child, sheet, traces, texts, clock, patience, openRun, signal },
    hasWebhook: config.hasWebhook,
  });
  const failure = await play(stage).then(
    () => null,
    (error: unknown) => ({ error }),
  );
  if (signal.aborted) options.tell(options.keep ? texts.interruptedKept : texts.interrupted);
  await child.stop(stopPatienceMs);
  const run = await stage.readRun().catch(() => null);
  traces.branch ??= run?.facts.find(({ name }) => name === 'branch')?.value ?? null;
  const leftovers = await tidy(parts, { account, stage });
  if (failure !== null && !signal.aborted) throw failure.error;
  return leftovers;
}

async function play(stage: Stage): Promise<void> {
  if (!(await prepareRepository(stage)) || !(await begin(stage))) return;
  const deleted = await playComments(stage);
  await playPause(stage);
  await playCrash(stage);
  if (deleted !== null) await checkDeletion(stage, deleted);
  await playDelivery(stage);
  await playStop(stage);
  await checkReport(stage);
  await checkWebhook(stage);
}

async function tidy(
  parts: PlayedParts,
  { account, stage }: { readonly account: AgentAccount; readonly stage: Stage },
): Promise<readonly Leftover[]> {
  const { options, sheet, traces } = parts;
  const { texts, clock, keep, personToken, tell, cleanUpPatienceMs: patienceMs = 20_000 } = options;
  const { signal } = new AbortController();
  const beginAt = clock.now();
  const agent = deskOf(parts, account.token, signal);
  if (traces.branch !== null && traces.request === null)
    traces.request = await agent.requests.find(traces.branch).catch(() => null);
  if (keep) {
    sheet.add('clean-up', { status: 'skipped', text: texts.kept });
    return listKept(traces, agent, texts);
  }
  const desks = [agent, ...(personToken === null ? [] : [deskOf(parts, async () => personToken, signal)])];
  const authors = [account.login, stage.parts.person.login() ?? ''];
  const leftovers = await cleanUp({ desks, authors, traces, texts, clock, patienceMs, tell, signal });
  sheet.add(
    'clean-up',
    stage.advise('clean-up', judgeCleanUp(leftovers, traces, texts)),
    clock.now() - beginAt,
  );
  return leftovers;
}

function judgeCleanUp(leftovers: readonly Leftover[], traces: Traces, texts: RehearsalTexts): Verdict {
  const { issue, request, branch, labels } = traces;
  if (leftovers.length > 0) {
    const isPermanent = leftovers.every((one) => one.isPermanent);
    const status = isPermanent ? 'not-supported' : 'failed';
    return { status, text: texts.leftCount(leftovers.length) };
  }
  const isNothing = issue === null && request === null && branch === null && labels.length === 0;
  return { status: 'passed', text: isNothing ? texts.nothingCreated : texts.removed };
}

/** Checks the directory of `rehearsal.json`. @throws RehearsalError if no file can be written there */
export async function checkOutputDirectory(directory: string, texts: RehearsalTexts): Promise<void> {
  const found = await stat(directory).catch(() => null);
  const isWritable = await access(directory, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (found?.isDirectory() !== true || !isWritable) throw new RehearsalError(texts.outputInvalid(directory));
}

/** Resolves the directory of `rehearsal.json`. */
export function toOutputDirectory(given: string | undefined): string {
  return resolve(given ?? '.');
}
