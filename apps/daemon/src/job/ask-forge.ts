import { z } from 'zod';
import { JobError } from './job-error.ts';
import type { JobRepository, JobThread } from './job-event.ts';

/** Asks the platform of a job what its event does not say, and starts the next job. */
export interface JobForge {
  /** Finds the login that the token works with; null for a token without an account of its own. */
  readonly findLogin: () => Promise<string | null>;
  /** Completes a pull or merge request by its branch, and whether that is in a fork. */
  readonly complete: (thread: JobThread) => Promise<JobThread>;
  /** Name of this job, by which others ask whether it is at work. */
  readonly jobName: string;
  /** Tells whether a job is at work; null if the platform does not say. */
  readonly isAtWork: (jobName: string) => Promise<boolean | null>;
  /** Starts another job for a thread. @returns false if the platform does not let this job start one */
  readonly startNext: (thread: Pick<JobThread, 'url'>) => Promise<boolean>;
}

/** Options of `createGitHubForge` and `createGitLabForge`. */
export interface JobForgeOptions {
  readonly repository: JobRepository;
  readonly token: string;
  readonly fetch: typeof globalThis.fetch;
  /** Number of this run of the workflow, or of this job; null if it is not known. */
  readonly jobId: string | null;
  /** What names the workflow or the ref that the next job runs from; null if it is not known. */
  readonly source: { readonly workflow: string; readonly ref: string } | null;
}

const gitHubIssue = z.object({ pull_request: z.unknown().optional() });
const gitHubPull = z.object({
  html_url: z.string(),
  head: z.object({ ref: z.string(), repo: z.object({ full_name: z.string() }).nullish() }),
});

const gitHubRun = z.object({ status: z.string().nullable() });

/** Creates the one of GitHub. */
export function createGitHubForge({ repository, token, fetch, source, jobId }: JobForgeOptions): JobForge {
  const { apiUrl, path } = repository;
  const headers = {
    authorization: `Bearer ${token}`,
    'user-agent': 'agent-daemon',
    accept: 'application/vnd.github+json',
  };
  const get = (route: string) => fetch(`${apiUrl}${route}`, { headers });
  const jobs = createJobNames(jobId, 'run');
  return {
    jobName: jobs.own,
    isAtWork: async (name) => {
      const id = jobs.parse(name);
      // Another attempt of the same run: the earlier one has ended.
      if (id !== null && name === jobs.own) return false;
      const answer = id === null ? null : await get(`/repos/${path}/actions/runs/${id}`);
      if (answer === null || !answer.ok) return null;
      return gitHubRun.parse(await answer.json()).status !== 'completed';
    },
    findLogin: async () => readLogin(await get('/user'), 'login'),
    complete: async (thread) => {
      const about = gitHubIssue.parse(await readJson(await get(`/repos/${path}/issues/${thread.number}`)));
      if (about.pull_request == null) return thread;
      const pull = gitHubPull.parse(await readJson(await get(`/repos/${path}/pulls/${thread.number}`)));
      const isFromFork = pull.head.repo?.full_name.toLowerCase() !== path.toLowerCase();
      return { ...thread, kind: 'request', url: pull.html_url, branch: pull.head.ref, isFromFork };
    },
    startNext: async ({ url }) => {
      if (source === null) return false;
      const body = JSON.stringify({ ref: source.ref, inputs: { thread: url } });
      const route = `/repos/${path}/actions/workflows/${source.workflow}/dispatches`;
      return (await fetch(`${apiUrl}${route}`, { method: 'POST', headers, body })).ok;
    },
  };
}

/** Names of jobs by their numbers. */
function createJobNames(id: string | null, kind: string) {
  return {
    own: id === null ? `a ${kind} without a number` : `${kind} ${id}`,
    parse: (name: string) => (name.startsWith(`${kind} `) ? (/ (\d{1,20})$/.exec(name)?.[1] ?? null) : null),
  };
}

const gitLabJob = z.object({ status: z.string() });

/** States of a job of GitLab that has ended. */
const endedStates = new Set(['success', 'failed', 'canceled', 'skipped']);

const gitLabRequest = z.object({
  source_branch: z.string(),
  source_project_id: z.number().nullish(),
  target_project_id: z.number(),
});

/** Creates the one of GitLab. `jobToken`: token of the job, which may start pipelines of its own project. */
export function createGitLabForge({
  repository,
  token,
  fetch,
  source,
  jobId,
  jobToken,
}: JobForgeOptions & { readonly jobToken: string | null }): JobForge {
  const api = `${repository.apiUrl}/api/v4`;
  const project = `${api}/projects/${encodeURIComponent(repository.path)}`;
  const get = (address: string) => fetch(address, { headers: { 'private-token': token } });
  const jobs = createJobNames(jobId, 'job');
  return {
    jobName: jobs.own,
    isAtWork: async (name) => {
      const id = jobs.parse(name);
      const answer = id === null ? null : await get(`${project}/jobs/${id}`);
      if (answer === null || !answer.ok) return null;
      return !endedStates.has(gitLabJob.parse(await answer.json()).status);
    },
    findLogin: async () => readLogin(await get(`${api}/user`), 'username'),
    complete: async (thread) => {
      if (thread.kind === 'issue') return thread;
      const answer = await readJson(await get(`${project}/merge_requests/${thread.number}`));
      const request = gitLabRequest.parse(answer);
      const isFromFork = request.source_project_id !== request.target_project_id;
      return { ...thread, branch: request.source_branch, isFromFork };
    },
    startNext: async ({ url }) => {
      if (source === null || jobToken === null) return false;
      const body = new URLSearchParams({ token: jobToken, ref: source.ref, 'variables[AGENT_THREAD]': url });
      return (await fetch(`${project}/trigger/pipeline`, { method: 'POST', body })).ok;
    },
  };
}

async function readLogin(answer: Response, key: string): Promise<string | null> {
  if (answer.status === 401 || answer.status === 403) return null;
  const { [key]: login } = z.record(z.string(), z.unknown()).parse(await readJson(answer));
  return typeof login === 'string' ? login : null;
}

async function readJson(answer: Response): Promise<unknown> {
  if (answer.ok) return answer.json();
  const { pathname } = new URL(answer.url);
  throw new JobError(`The platform answered ${answer.status} to GET ${pathname}.`);
}
