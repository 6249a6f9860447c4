import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ContextStoreError, type RunStorage } from '@agent/run-store';
import { toErrorMessage } from '@agent/text';
import { type Environment, removeOldRefs } from '@agent/workspace';
import { type LoadedConfig, loadConfig } from '../config/load-config.ts';
import { type StartDaemonOptions, startDaemon } from '../start-daemon.ts';
import { createGitHubForge, createGitLabForge, type JobForge } from './ask-forge.ts';
import { decideJob, nameRecord, recordRefs } from './decide-job.ts';
import { prepareConfig } from './job-config.ts';
import { JobError } from './job-error.ts';
import type { JobEvent, JobThread } from './job-event.ts';
import { openRecord } from './open-record.ts';
import { readJob } from './read-job.ts';
import type { JobTexts } from './texts.en.ts';

/** Settings of a job. */
export interface JobSettings {
  /** Configuration of the user. */
  readonly config: string;
  /** Preset of the model, where there is no such file. */
  readonly preset?: string | undefined;
  /** Place of the record: a ref of the repository, or none, so that no later job resumes the run. */
  readonly record: 'ref' | 'none';
  /** Minutes until the platform ends the job. */
  readonly timeLimit: number;
}

/** Surroundings of a job. */
export interface JobSurroundings
  extends Pick<StartDaemonOptions, 'shutdown' | 'output' | 'onLeft' | 'onLost' | 'now' | 'sleep'> {
  readonly environment: Environment;
  readonly texts: JobTexts;
  readonly fetch: typeof globalThis.fetch;
  readonly print: (line: string) => void;
}

/**
 * Runs the job that GitHub Actions or GitLab CI started for an event: works on its thread, with the record of the jobs before.
 *
 * @returns whether everything that was asked could be done
 * @throws JobError for a workflow that has to be changed; and what `startDaemon` throws
 */
export async function runJob(settings: JobSettings, at: JobSurroundings): Promise<boolean> {
  const { environment: given, texts, print } = at;
  const event = await readJob(given);
  const environment: Environment = { GITHUB_BOT_NAME: 'github-actions[bot]', ...given };
  const directory = await mkdtemp(join(given.RUNNER_TEMP ?? tmpdir(), 'agent-job-'));
  try {
    const { preset } = settings;
    const configFile = await prepareConfig(event, { file: settings.config, preset, directory });
    const loaded = await loadConfig(configFile, environment);
    const token = findToken(event, { loaded, texts });
    const forge = openForge(event, { token, environment, fetch: at.fetch });
    const thread = await chooseThread(event, { forge, texts, print });
    if (thread === null) return true;
    print(texts.run(thread.url, event.name));
    const ref = nameRecord(thread, { branchPrefix: loaded.config.branch_prefix });
    const key = environment.AGENT_RECORD_KEY || null;
    if (settings.record === 'ref' && key === null && event.repository.isPublic)
      throw new JobError(texts.publicRecord(ref));
    const process = { name: forge.jobName, isAtWork: forge.isAtWork };
    const username = event.platform === 'github' ? 'x-access-token' : 'oauth2';
    const place = { repository: event.repository, ref, directory, token, username };
    const record = { ...place, key, environment, process };
    const work = { configFile, environment, thread, record: settings.record === 'ref' ? record : null };
    const { isGood, isTimeUp } = await workInTime(work, { ...at, timeLimit: settings.timeLimit }).catch(
      (error: unknown) => {
        if (!ContextStoreError.isInstance(error) || error.code !== 'owned') throw error;
        print(error.message);
        return { isGood: true, isTimeUp: false };
      },
    );
    if (work.record !== null) await removeOldRecords(work.record, { loaded, now: at.now, print });
    if (!isTimeUp) return isGood;
    print((await forge.startNext(thread)) ? texts.nextStarted : texts.nextNotStarted);
    return true;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Removes records that no job has written for as long as runs that ended are stored. What fails is tried again by the next job. */
async function removeOldRecords(
  { repository, directory, token, username, environment }: RecordOfJob,
  { loaded, now, print }: { readonly loaded: LoadedConfig } & Pick<JobSurroundings, 'now' | 'print'>,
): Promise<void> {
  const { context_storage: stored, context_inheritance: inherited, pause_resume: paused } = loaded.config;
  const days = Math.max(
    stored.retention_days ?? inherited.context_expiry_days,
    paused.paused_task_expiry_days,
  );
  const { cloneUrl } = repository;
  try {
    const place = { cloneUrl, directory, username, environment, token: () => token };
    const removed = await removeOldRefs({ ...place, prefix: recordRefs, before: now() - days * 86_400_000 });
    for (const ref of removed) print(`removed ${ref}`);
  } catch (error) {
    print(`failed to remove old records: ${toErrorMessage(error)}`);
  }
}

type RecordOfJob = Omit<Parameters<typeof openRecord>[0], 'maxBytes' | 'leaseMs'>;

function findToken(
  { platform }: Pick<JobEvent, 'platform'>,
  { loaded, texts }: { readonly loaded: LoadedConfig; readonly texts: JobTexts },
): string {
  const name = loaded.config.platforms[platform]?.token_env ?? `${platform.toUpperCase()}_TOKEN`;
  const token = loaded.environment[name]?.trim() ?? '';
  if (token === '') throw new JobError(texts.noToken(name));
  return token;
}

function openForge(
  { platform, repository }: Pick<JobEvent, 'platform' | 'repository'>,
  {
    environment,
    ...asking
  }: { readonly token: string; readonly environment: Environment; readonly fetch: typeof globalThis.fetch },
): JobForge {
  if (platform === 'github') {
    // octo/cat/.github/workflows/agent.yml@refs/heads/main
    const [, workflow, ref] = /\/([^/@]+)@(.+)$/.exec(environment.GITHUB_WORKFLOW_REF ?? '') ?? [];
    const source = workflow === undefined || ref === undefined ? null : { workflow, ref };
    return createGitHubForge({ repository, source, jobId: environment.GITHUB_RUN_ID ?? null, ...asking });
  }
  const { CI_DEFAULT_BRANCH: ref, CI_JOB_TOKEN: jobToken = null, CI_JOB_ID: jobId = null } = environment;
  const source = ref === undefined ? null : { workflow: '', ref };
  return createGitLabForge({ repository, source, jobId, jobToken, ...asking });
}

/** Finds the thread of an event; null if there is nothing to do. What can be said without a request is said first. */
async function chooseThread(
  event: JobEvent,
  { forge, texts, print }: { readonly forge: JobForge } & Pick<JobSurroundings, 'texts' | 'print'>,
): Promise<JobThread | null> {
  const early = decideJob(event, { ownLogin: null });
  const decision =
    early.kind !== 'run'
      ? early
      : decideJob(
          { ...event, thread: await forge.complete(early.thread) },
          { ownLogin: await forge.findLogin() },
        );
  switch (decision.kind) {
    case 'run':
      return decision.thread;
    case 'skip':
      print(texts.skipped(event.name, texts.skip[decision.reason]));
      return null;
    case 'refuse':
      throw new JobError(texts.refused[decision.reason](event.name));
  }
}

interface JobWork extends Pick<StartDaemonOptions, 'configFile' | 'environment'> {
  readonly thread: JobThread;
  /** Null: the runs stay in files of this job. */
  readonly record: RecordOfJob | null;
}

/** Minutes before the end of a job in which its run pauses, and in which it is left as it is if it did not. */
const margins = { pause: 5, leave: 2 };

/** Works on the thread; near the time limit, has the run pause, and ends it where it does not. */
async function workInTime(
  { configFile, environment, thread, record }: JobWork,
  at: JobSurroundings & Pick<JobSettings, 'timeLimit'>,
): Promise<{ readonly isGood: boolean; readonly isTimeUp: boolean }> {
  const { shutdown, timeLimit, sleep, texts, print } = at;
  const ended = new AbortController();
  const timeIsUp = new AbortController();
  let storage: RunStorage | null = null;
  const wait = (minutes: number) => sleep(Math.max(0, timeLimit - minutes) * 60_000, ended.signal);
  const pause = async () => {
    await wait(margins.pause);
    if (ended.signal.aborted) return;
    print(texts.timeIsUp);
    isTimeUp = true;
    await storage?.pauseSignal.set();
  };
  const leave = async () => {
    await wait(margins.leave);
    if (!ended.signal.aborted) timeIsUp.abort();
  };
  let isTimeUp = false;
  const timed = Promise.all([pause(), leave()]);
  try {
    const isGood = await startDaemon({
      ...at,
      configFile,
      environment,
      logFormat: 'auto',
      once: true,
      live: false,
      shutdown: AbortSignal.any([shutdown, timeIsUp.signal]),
      thread: { name: thread.url, onIdle: () => {} },
      openStorage:
        record === null
          ? undefined
          : (place) => {
              storage = openRecord({ ...record, ...limits(environment) }, place);
              return storage;
            },
    });
    return { isGood, isTimeUp };
  } finally {
    ended.abort();
    await timed;
  }
}

const defaultMegabytes = 20;
const defaultLeaseSeconds = 30;

function limits({ AGENT_RECORD_MB, AGENT_RECORD_LEASE_SECONDS }: Environment) {
  const megabytes = Number(AGENT_RECORD_MB || defaultMegabytes);
  const seconds = Number(AGENT_RECORD_LEASE_SECONDS || defaultLeaseSeconds);
  return { maxBytes: megabytes * 1024 * 1024, leaseMs: seconds * 1_000 };
}
