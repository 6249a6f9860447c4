import { randomBytes } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import type { BuiltInName } from '@agent/orchestrator/platforms';
import {
  type Abandonment,
  type CheckResult,
  CheckResults,
  endWithParentArguments,
  type Leftover,
  RehearsedProcess,
  type RepositoryCheck,
  repositoryChecks,
  type Verdict,
} from '@agent/rehearsal';
import { openShapes, recorderArguments } from '@agent/rehearsal/shapes';
import type { Environment } from '@agent/workspace';
import { pino } from 'pino';
import manifest from '../../package.json' with { type: 'json' };
import { openStorage } from '../config/open-storage.ts';
import type { DoctorTexts } from '../doctor/texts.en.ts';
import { removeAbandonedFiles } from './abandoned-files.ts';
import type { AccountChecks, AgentAccount } from './check-accounts.ts';
import { checkComments, checkDeletion } from './checks/check-comments.ts';
import { begin, checkCrash, checkPause, checkStop, prepareRepository } from './checks/check-control.ts';
import { checkDelivery, checkReport, checkWebhook } from './checks/check-delivery.ts';
import { checkWithoutRun } from './checks/check-without-run.ts';
import { cleanUp, listKept } from './clean-up.ts';
import { describeCreated } from './describe-created.ts';
import {
  type AccountOptions,
  openAccounts,
  openClient,
  type RehearsalAccounts,
  type RehearsalParts,
} from './open-accounts.ts';
import { writeRehearsalConfig } from './rehearsal-config.ts';
import { type CreatedItems, RehearsalContext } from './rehearsal-context.ts';
import { openRehearsedRun } from './run-record.ts';
import type { RehearsalTexts } from './texts.en.ts';

/** Options of a rehearsal. */
export interface RehearseOptions extends AccountOptions {
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
  readonly onResult: (result: CheckResult<RepositoryCheck>) => void;
  /** Receives what has to happen if the process exits before the clean-up. Default: nothing happens. */
  readonly abandonment?: Abandonment | undefined;
}

/** Result of a rehearsal. */
export interface Rehearsal {
  readonly checks: readonly CheckResult<RepositoryCheck>[];
  readonly leftovers: readonly Leftover[];
  /** Path of `rehearsal.json`; null if it could not be written. */
  readonly file: string | null;
  /** Why it could not be written; null if it is written. */
  readonly fileProblem: string | null;
  readonly isInterrupted: boolean;
}

const stopPatienceMs = 5_000;

/** Rehearses in a real repository: checks the accounts, lets the daemon work on an issue, and removes what that created. @throws ConfigError, RehearsalError if it cannot begin */
export async function rehearse(options: RehearseOptions): Promise<Rehearsal> {
  const { clock, onResult } = options;
  await using stack = new AsyncDisposableStack();
  const abandoned = await removeAbandonedFiles(dirname(resolve(options.config)));
  if (abandoned.length > 0) options.tell(options.texts.abandonedRemoved(abandoned.join(', ')));
  const config = await writeRehearsalConfig(options);
  stack.defer(config.remove);
  const storage = await openStorage(config.loaded, { now: clock.now, logger: pino({ level: 'silent' }) });
  stack.defer(() => storage.close());
  const results = new CheckResults(repositoryChecks, onResult);
  const id = randomBytes(8).toString('hex');
  const created: CreatedItems = {
    ...{ id, isIssueRequested: false, labels: [], requestedLabel: null },
    ...{ issue: null, request: null, branch: null },
  };
  const recorder = openShapes({ directory: options.directory, recordIn: config.directory });
  stack.defer(recorder.remove);
  const parts = { options, config, results, created, recorder };
  prepareAbandonment(parts);
  let leftovers: readonly Leftover[] = [];
  try {
    const checks: AccountChecks = {
      ...{ loaded: config.loaded, storage, processEnvironment: options.environment },
      ...{ texts: options.texts, doctorTexts: options.doctorTexts, now: clock.now, signal: options.signal },
    };
    const accounts = await openAccounts(parts, checks);
    if (accounts !== null) {
      const openRun = (url: string) => openRehearsedRun({ storage, url, now: clock.now });
      leftovers = await runAndCleanUp(parts, { ...accounts, openRun });
    }
  } catch (error) {
    // What was created is removed by then.
    if (!options.signal.aborted) throw error;
  }
  results.skipOthers(options.texts.notReached);
  const versions = { program: manifest.version, node: process.versions.node, platform: config.platform };
  const written = await recorder.finish({ checks: results.list(), versions }).then(
    (file) => ({ file, fileProblem: null }),
    (error: Error) => ({ file: null, fileProblem: error.message }),
  );
  return { checks: results.list(), leftovers, ...written, isInterrupted: options.signal.aborted };
}

function prepareAbandonment({ options, config, created, recorder }: PlayedParts): void {
  const { abandonment, texts } = options;
  abandonment?.add(config.removeNow);
  abandonment?.add(recorder.discardNow);
  const branchPrefix = `${config.loaded.config.branch_prefix}/`;
  abandonment?.describeWith(() => describeCreated(created, texts, { branchPrefix }));
}

/** Parts with all options. */
interface PlayedParts extends RehearsalParts {
  readonly options: RehearseOptions;
}

async function runAndCleanUp(
  parts: PlayedParts,
  { account, person, lacks, openRun }: RehearsalAccounts & Pick<RehearsalContext['parts'], 'openRun'>,
): Promise<readonly Leftover[]> {
  const { options, config, results, created, recorder } = parts;
  const { clock, texts, waitLimits, signal } = options;
  const [program, ...args] = options.command;
  const run = ['run', '--no-live', '--log-format', 'json', '--config', config.file];
  const child = new RehearsedProcess({
    program,
    args: [...recorderArguments(), ...endWithParentArguments(), ...args, ...run],
    environment: { ...options.childEnvironment, ...recorder.environment },
  });
  options.abandonment?.add(() => child.killNow());
  const context = new RehearsalContext({
    ...{ platform: config.platform, agent: openClient(parts, account.token), agentLogin: account.login },
    ...{ person, child, results, created, texts, clock, waitLimits, openRun, signal },
    hasWebhook: config.hasWebhook,
  });
  const checks = lacks.length === 0 ? runChecks(context) : checkWithoutRun(context, lacks);
  const failure = await checks.then(
    () => null,
    (error: unknown) => ({ error }),
  );
  if (signal.aborted) options.tell(options.keep ? texts.interruptedKept : texts.interrupted);
  await child.stop(stopPatienceMs);
  const record = await context.readRun().catch(() => null);
  created.branch ??= record?.facts.find(({ name }) => name === 'branch')?.value ?? null;
  const leftovers = await removeCreated(parts, { account, context });
  if (failure !== null && !signal.aborted) throw failure.error;
  return leftovers;
}

async function runChecks(context: RehearsalContext): Promise<void> {
  if (!(await prepareRepository(context)) || !(await begin(context))) return;
  const deleted = await checkComments(context);
  await checkPause(context);
  await checkCrash(context);
  if (deleted !== null) await checkDeletion(context, deleted);
  await checkDelivery(context);
  await checkStop(context);
  await checkReport(context);
  await checkWebhook(context);
}

async function removeCreated(
  parts: PlayedParts,
  { account, context }: { readonly account: AgentAccount; readonly context: RehearsalContext },
): Promise<readonly Leftover[]> {
  const { options, results, created } = parts;
  const { texts, clock, keep, personToken, tell, cleanUpPatienceMs: patienceMs = 20_000 } = options;
  const { signal } = new AbortController();
  const beginAt = clock.now();
  const agent = openClient(parts, account.token, signal);
  if (created.branch !== null && created.request === null)
    created.request = await agent.requests.find(created.branch).catch(() => null);
  if (keep) {
    results.add('clean-up', { status: 'skipped', text: texts.kept });
    return listKept(created, agent, texts);
  }
  const clients = [
    agent,
    ...(personToken === null ? [] : [openClient(parts, async () => personToken, signal)]),
  ];
  const authors = [account.login, context.parts.person.login() ?? ''];
  const leftovers = await cleanUp({ clients, authors, created, texts, clock, patienceMs, tell, signal });
  results.add(
    'clean-up',
    context.advise('clean-up', judgeCleanUp(leftovers, created, texts)),
    clock.now() - beginAt,
  );
  return leftovers;
}

function judgeCleanUp(leftovers: readonly Leftover[], created: CreatedItems, texts: RehearsalTexts): Verdict {
  const { issue, request, branch, labels } = created;
  if (leftovers.length > 0) {
    const isPermanent = leftovers.every((one) => one.isPermanent);
    const status = isPermanent ? 'not-supported' : 'failed';
    return { status, text: texts.leftCount(leftovers.length) };
  }
  const isNothing = issue === null && request === null && branch === null && labels.length === 0;
  return { status: 'passed', text: isNothing ? texts.nothingCreated : texts.removed };
}
