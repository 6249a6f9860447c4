import { resolve } from 'node:path';
import type { BuiltInName } from '@agent/orchestrator/platforms';
import type { Environment } from '@agent/workspace';
import { pino } from 'pino';
import manifest from '../../package.json' with { type: 'json' };
import { openStorage } from '../config/open-storage.ts';
import type { DoctorTexts } from '../doctor/texts.en.ts';
import {
  type AccountChecks,
  type AgentAccount,
  checkAccess,
  checkRehearsedModel,
  openAgentAccount,
} from './check-accounts.ts';
import { type CheckResult, CheckSheet } from './check-sheet.ts';
import { cleanUp, type Leftover } from './clean-up.ts';
import { DaemonChild } from './daemon-child.ts';
import type { Desk } from './desk/desk.ts';
import { openDesk, toNewIssuePage } from './desk/open-desk.ts';
import { createInteractivePerson } from './interactive-person.ts';
import { createCredentialPerson, type Person } from './person.ts';
import { type RehearsalConfig, writeRehearsalConfig } from './rehearsal-config.ts';
import { openRehearsedRun } from './run-record.ts';
import { begin, prepareRepository } from './scenes/begin.ts';
import { checkDeletion, playComments } from './scenes/comments.ts';
import { playCrash, playPause, playStop } from './scenes/control.ts';
import { checkReport, checkWebhook, playDelivery } from './scenes/delivery.ts';
import { openShapes, recorderArguments } from './shapes/index.ts';
import { type Patience, Stage, type Traces } from './stage.ts';
import type { RehearsalTexts } from './texts.en.ts';
import type { RehearsalClock } from './wait-for.ts';

/** Options of a rehearsal. */
export interface RehearseOptions {
  /** Configuration of the user. */
  readonly config: string;
  readonly repository: string;
  readonly platform?: BuiltInName | undefined;
  /** Token of the account that plays the user; null to ask the user for each step. */
  readonly personToken: string | null;
  /** True to leave everything that the rehearsal creates. */
  readonly keep: boolean;
  /** Directory of `rehearsal.json`. */
  readonly directory: string;
  /** This program, with the arguments of Node, up to the name of a command. */
  readonly command: readonly [program: string, ...args: string[]];
  readonly environment: Environment;
  /** Environment of the daemon. */
  readonly childEnvironment: Environment;
  readonly texts: RehearsalTexts;
  readonly doctorTexts: DoctorTexts;
  readonly pollSeconds: number;
  readonly patience: Patience;
  /** Longest time for one request of the clean-up that gets no answer, in milliseconds. Default 20,000. */
  readonly cleanUpPatienceMs?: number | undefined;
  readonly clock: RehearsalClock;
  readonly onResult: (result: CheckResult) => void;
  readonly tell: (text: string) => void;
  /** Interrupts the story; the clean-up follows. */
  readonly signal: AbortSignal;
}

/** Result of a rehearsal. */
export interface Rehearsal {
  readonly checks: readonly CheckResult[];
  readonly leftovers: readonly Leftover[];
  /** Path of `rehearsal.json`. */
  readonly file: string;
  readonly isInterrupted: boolean;
}

const stopPatienceMs = 5_000;

/** Plays the whole story in a real repository: checks, run, clean-up. @throws ConfigError, RehearsalError if it cannot begin */
export async function rehearse(options: RehearseOptions): Promise<Rehearsal> {
  const { clock, onResult } = options;
  const config = await writeRehearsalConfig(options);
  const storage = await openStorage(config.loaded, { now: clock.now, logger: pino({ level: 'silent' }) });
  const sheet = new CheckSheet(onResult);
  const traces: Traces = { issue: null, request: null, branch: null, hasLabels: false };
  const recorder = openShapes({ directory: options.directory });
  const parts = { options, config, sheet, traces, recorder };
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
  } finally {
    await storage.close();
    await config.remove();
  }
  sheet.skipOthers(options.texts.notReached);
  const versions = { program: manifest.version, node: process.versions.node, platform: config.platform };
  const file = await recorder.finish({ checks: sheet.list(), versions });
  return { checks: sheet.list(), leftovers, file, isInterrupted: options.signal.aborted };
}

interface RehearsalParts {
  readonly options: RehearseOptions;
  readonly config: RehearsalConfig;
  readonly sheet: CheckSheet;
  readonly traces: Traces;
  readonly recorder: ReturnType<typeof openShapes>;
}

interface Cast {
  readonly account: AgentAccount;
  readonly person: Person;
}

/** Checks the accounts and the model. @returns null if the story cannot begin */
async function openCast(parts: RehearsalParts, checks: AccountChecks): Promise<Cast | null> {
  const { options, sheet, config } = parts;
  const { texts } = options;
  const timed = async (name: 'access' | 'model', check: () => ReturnType<typeof checkAccess>) => {
    const beginAt = options.clock.now();
    const verdict = await check();
    options.signal.throwIfAborted();
    const fix = verdict.status === 'failed' ? (verdict.fix ?? texts.fixes[name]) : null;
    sheet.add(name, { ...verdict, fix }, options.clock.now() - beginAt);
  };
  const account = await openAgentAccount(checks).catch((error: Error) => {
    options.signal.throwIfAborted();
    sheet.add('access', { status: 'failed', text: error.message, fix: texts.fixes.access });
    return null;
  });
  if (account === null) return null;
  await timed('access', () => checkAccess(checks, account.login));
  await timed('model', () => checkRehearsedModel(checks));
  const person = await openPerson(parts, account);
  if (
    person === null ||
    !sheet.passed('access') ||
    sheet.list().some(({ name, status }) => name === 'model' && status === 'failed')
  )
    return null;
  const who = options.personToken === null ? texts.interactive : `@${person.login()}`;
  options.tell(texts.intro(config.repository, account.login, who));
  return { account, person };
}

async function openPerson(parts: RehearsalParts, account: AgentAccount): Promise<Person | null> {
  const { options, config, sheet } = parts;
  const { texts, personToken, clock, patience, signal } = options;
  const fail = (text: string) => {
    sheet.add('person', { status: 'failed', text, fix: texts.fixes.person });
    return null;
  };
  if (personToken === null) {
    sheet.add('person', { status: 'passed', text: texts.personInteractive });
    return createInteractivePerson({
      ...{ desk: deskOf(parts, account.token), agentLogin: account.login, texts, tell: options.tell },
      toNewIssuePage: (issue) => toNewIssuePage(config, issue),
      wait: { clock, patienceMs: patience.modelMs, intervalMs: patience.intervalMs, signal },
    });
  }
  const desk = deskOf(parts, async () => personToken);
  try {
    const { login } = await desk.probe.whoAmI();
    if (login.toLowerCase() === account.login.toLowerCase()) return fail(texts.sameAccount(login));
    if (!(await desk.probe.readAccess()).canWrite) return fail(texts.personCannotWrite(login));
    sheet.add('person', { status: 'passed', text: texts.personPassed(login) });
    return createCredentialPerson(desk, login);
  } catch (error) {
    signal.throwIfAborted();
    return fail((error as Error).message);
  }
}

function deskOf(
  { config, recorder, options }: RehearsalParts,
  token: () => Promise<string>,
  signal: AbortSignal = options.signal,
): Desk {
  return openDesk(config, { token, fetch: recorder.fetch, signal });
}

async function playAndTidy(
  parts: RehearsalParts,
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
  const stage = new Stage({
    ...{ platform: config.platform, agent: deskOf(parts, account.token), agentLogin: account.login },
    ...{ person, child, sheet, traces, texts, clock, patience, openRun, signal },
    hasWebhook: config.hasWebhook,
  });
  try {
    await play(stage);
  } catch (error) {
    if (!signal.aborted) throw error;
    options.tell(texts.interrupted);
  } finally {
    await child.stop(stopPatienceMs);
    traces.branch ??=
      (await stage.readRun().catch(() => null))?.facts.find(({ name }) => name === 'branch')?.value ?? null;
  }
  return tidy(parts, { account, stage });
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
  parts: RehearsalParts,
  { account, stage }: { readonly account: AgentAccount; readonly stage: Stage },
): Promise<readonly Leftover[]> {
  const { options, sheet, traces } = parts;
  const { texts, clock, keep, personToken, cleanUpPatienceMs: patienceMs = 20_000 } = options;
  if (keep) {
    sheet.add('clean-up', { status: 'skipped', text: texts.kept });
    return [];
  }
  const { signal } = new AbortController();
  const beginAt = clock.now();
  const desks = [deskOf(parts, account.token, signal)];
  if (personToken !== null) desks.push(deskOf(parts, async () => personToken, signal));
  if (traces.branch !== null && traces.request === null)
    traces.request = (await desks[0]?.requests.find(traces.branch).catch(() => null)) ?? null;
  const authors = [account.login, stage.parts.person.login() ?? ''];
  const leftovers = await cleanUp({ desks, authors, traces, texts, clock, patienceMs, signal });
  const isKept = leftovers.every(({ isPermanent }) => isPermanent);
  sheet.add(
    'clean-up',
    leftovers.length === 0
      ? { status: 'passed', text: texts.removed }
      : stage.advise('clean-up', {
          status: isKept ? 'not-supported' : 'failed',
          text: texts.leftCount(leftovers.length),
        }),
    clock.now() - beginAt,
  );
  return leftovers;
}

/** Resolves the directory of `rehearsal.json`. */
export function toOutputDirectory(given: string | undefined): string {
  return resolve(given ?? '.');
}
