import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ContextStoreError } from '@agent/run-store';
import { toErrorMessage } from '@agent/text';
import { type Environment, removeOldRefs } from '@agent/workspace';
import { stringify } from 'yaml';
import { z } from 'zod';
import { loadConfig } from '../config/load-config.ts';
import { createGitHubForge, createGitLabForge, type JobForge } from './ask-forge.ts';
import { decideJob, nameRecord, recordRefs } from './decide-job.ts';
import { JobError } from './job-error.ts';
import type { JobEvent, JobThread } from './job-event.ts';
import { readGitHubEvent } from './read-github-event.ts';
import { parseGitLabThread, readGitLabEvent } from './read-gitlab-event.ts';
import { type JobSettings, type JobSurroundings, type RecordOfJob, workInTime } from './work-in-time.ts';

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
    const { config, environment: loaded } = await loadConfig(configFile, environment);
    const tokenName = config.platforms[event.platform]?.token_env ?? `${event.platform.toUpperCase()}_TOKEN`;
    const token = loaded[tokenName]?.trim() ?? '';
    if (token === '') throw new JobError(texts.noToken(tokenName));
    const forge = openForge(event, { token, environment, fetch: at.fetch });
    const thread = await chooseThread(event, { forge, texts, print });
    if (thread === null) return true;
    print(texts.run(thread.url, event.name));
    const ref = nameRecord(thread, { branchPrefix: config.branch_prefix });
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
    const { context_storage: stored, context_inheritance: inherited, pause_resume: paused } = config;
    const storedDays = stored.retention_days ?? inherited.context_expiry_days;
    const keepDays = Math.max(storedDays, paused.paused_task_expiry_days);
    if (work.record !== null) await removeOldRecords(work.record, { keepDays, now: at.now, print });
    if (!isTimeUp) return isGood;
    print((await forge.startNext(thread)) ? texts.nextStarted : texts.nextNotStarted);
    return true;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Removes records that no job has written for a number of days. What fails is tried again by the next job. */
async function removeOldRecords(
  { repository, directory, token, username, environment }: RecordOfJob,
  { keepDays, now, print }: { readonly keepDays: number } & Pick<JobSurroundings, 'now' | 'print'>,
): Promise<void> {
  const { cloneUrl } = repository;
  try {
    const place = { cloneUrl, directory, username, environment, token: () => token };
    const removed = await removeOldRefs({
      ...place,
      prefix: recordRefs,
      before: now() - keepDays * 86_400_000,
    });
    for (const ref of removed) print(`removed ${ref}`);
  } catch (error) {
    print(`failed to remove old records: ${toErrorMessage(error)}`);
  }
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
    const [path = '', ref = ''] = (environment.GITHUB_WORKFLOW_REF ?? '').split('@', 2);
    const workflow = path.slice(path.lastIndexOf('/') + 1);
    const source = workflow === '' || ref === '' ? null : { workflow, ref };
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

/** Options of `prepareConfig`. */
interface JobConfigOptions {
  /** Configuration of the user. */
  readonly file: string;
  /** Preset of the model, where there is no such file. */
  readonly preset: string | undefined;
  /** Directory of the job, for a configuration that is written. */
  readonly directory: string;
}

/** Finds the configuration of a job: that of the user, else one for the repository of the event alone. Resolves with its path. */
async function prepareConfig(
  { platform, repository }: Pick<JobEvent, 'platform' | 'repository'>,
  { file, preset, directory }: JobConfigOptions,
): Promise<string> {
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (isThere) return file;
  const { apiUrl, path } = repository;
  const places = platform === 'github' ? { repositories: [path] } : { projects: [path] };
  const config = {
    platforms: { [platform]: { base_url: apiUrl, ...places } },
    ...(preset === undefined ? {} : { llm: { preset } }),
  };
  const written = join(directory, 'agent.config.yaml');
  await writeFile(written, stringify(config), { mode: 0o600 });
  return written;
}

/**
 * Reads the event that started this job from the environment that GitHub Actions and GitLab CI give to it.
 *
 * @throws JobError outside of a job, and for a payload that is not the one of a webhook
 */
export async function readJob(environment: Environment): Promise<JobEvent> {
  if (environment.GITHUB_ACTIONS === 'true') {
    const payload = await readPayload('GITHUB_EVENT_PATH', environment);
    return parse('GITHUB_EVENT_PATH', () => readGitHubEvent(payload, environment));
  }
  if (environment.GITLAB_CI !== 'true')
    throw new JobError(
      'This is not a job of GitHub Actions or GitLab CI. Use "agent-daemon run --thread" on your own machine.',
    );
  const { AGENT_THREAD: thread = '', TRIGGER_PAYLOAD: payload = '' } = environment;
  if (thread !== '') return parse('AGENT_THREAD', () => parseGitLabThread(thread, environment));
  if (payload === '')
    throw new JobError(
      'This pipeline was not started by a webhook. Add a webhook that calls the trigger API, or set AGENT_THREAD to the URL of an issue.',
    );
  const event = await readPayload('TRIGGER_PAYLOAD', environment);
  return parse('TRIGGER_PAYLOAD', () => readGitLabEvent(event, environment));
}

async function readPayload(variable: string, environment: Environment): Promise<unknown> {
  try {
    return JSON.parse(await readFile(environment[variable] ?? '', 'utf8'));
  } catch {
    throw new JobError(`${variable} does not name a file with the payload of an event.`);
  }
}

function parse(variable: string, read: () => JobEvent): JobEvent {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const [issue] = error.issues;
    const field = issue?.path.join('.') ?? '';
    throw new JobError(`${variable} is not the payload of a webhook: ${field}: ${issue?.message ?? ''}`);
  }
}
