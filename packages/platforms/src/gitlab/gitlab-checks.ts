import * as z from 'zod';
import { keepLastLines } from '../http/read-tail.ts';
import type { CheckConclusion } from '../model.ts';
import { isNotFound, PlatformError } from '../platform-error.ts';
import type { CallOptions } from '../ports.ts';
import type { Check, Checks, ListChecksOptions } from '../review-ports.ts';
import { time } from './gitlab-answers.ts';
import type { BoundConnection, GitLabCall } from './gitlab-client.ts';
import type { GitLabThreadContext } from './gitlab-context.ts';
import { readReviewed } from './gitlab-review-lines.ts';

/** End of a log that is handed on, in characters. */
const maxLogChars = 20_000;

const statusSchema = z.object({
  id: z.number(),
  name: z.string(),
  sha: z.string(),
  status: z.string(),
  allow_failure: z.boolean().nullish(),
  description: z.string().nullish(),
  target_url: z.string().nullish(),
  created_at: time,
  started_at: time.nullish(),
  finished_at: time.nullish(),
});

type GitLabStatus = z.output<typeof statusSchema>;

/**
 * Reads the jobs of a commit and what programs outside say of it, which GitLab lists together. A merge request from a fork
 * has its pipelines there, and none here.
 *
 * @see https://docs.gitlab.com/api/commits/#list-the-statuses-of-a-commit
 */
export function createGitLabChecks(context: GitLabThreadContext): Checks {
  const { client, projectId, name } = context;
  let needsPipeline: boolean | null = null;
  return {
    readHead: async (options = {}) => {
      const { sha } = await readReviewed(context, options);
      if (sha != null) return sha;
      throw new PlatformError(`Could not read the head of ${name}: its source branch is gone.`, {
        code: 'not-found',
      });
    },
    list: async (options) => {
      const statuses = await listStatuses(context, options);
      // A setting of the project: asked until it is known, and kept for as long as this is.
      needsPipeline ??=
        (await context.describeProject(options)).only_allow_merge_if_pipeline_succeeds ?? null;
      return toChecks(statuses, { needsPipeline });
    },
    readLog: async ({ id }, { signal } = {}) => {
      const job = toJobNumber(id);
      const call = toJobCall(context, {
        doing: 'read the log of a job of',
        route: 'GET {job}/trace',
        signal,
      });
      try {
        const send = (bound: BoundConnection) => new bound.gitbeaker.Jobs(bound).showLog(projectId, job);
        const trace = await client.ask({ ...call, send }, z.string().nullish());
        return trace ? toLog(trace) : null;
      } catch (error) {
        if (isNotFound(error) || isForbidden(error)) return null;
        throw error;
      }
    },
    rerun: async ({ id }, { signal } = {}) => {
      const job = toJobNumber(id);
      const call = toJobCall(context, { doing: 'run a job again of', route: 'POST {job}/retry', signal });
      try {
        const send = (bound: BoundConnection) => new bound.gitbeaker.Jobs(bound).retry(projectId, job);
        await client.ask({ ...call, send }, z.unknown());
      } catch (error) {
        throw toConflict(error, name);
      }
    },
  };
}

/** Number of a job; 0, which no job has, for what is no check of ours. */
function toJobNumber(id: string): number {
  return Number(/^job-(\d+)$/u.exec(id)?.[1] ?? 0);
}

function listStatuses(
  { client, project, projectId, name }: GitLabThreadContext,
  { head, signal }: ListChecksOptions,
): Promise<GitLabStatus[]> {
  const call = {
    doing: `list the checks of ${name}`,
    repository: project,
    route: 'GET /projects/{id}/repository/commits/{sha}/statuses',
    signal,
  };
  return client.askAll(
    {
      ...call,
      send: (bound, page) =>
        new bound.gitbeaker.Commits(bound).allStatuses(projectId, head, { all: true, ...page }),
    },
    statusSchema,
  );
}

function toJobCall(
  { name, project }: GitLabThreadContext,
  { doing, route, signal }: Pick<GitLabCall, 'doing' | 'route'> & CallOptions,
): Omit<GitLabCall, 'send'> {
  const whole = route.replace('{job}', '/projects/{id}/jobs/{job_id}');
  return { doing: `${doing} ${name}`, repository: project, route: whole, signal };
}

/** Attempts of each name in the order in which they were made. */
function toChecks(
  statuses: readonly GitLabStatus[],
  { needsPipeline }: { readonly needsPipeline: boolean | null },
): readonly Check[] {
  const attempts = new Map<string, number>();
  const oldestFirst = [...new Map(statuses.map((status) => [status.id, status])).values()].sort(
    (one, other) => one.id - other.id,
  );
  const checks = oldestFirst.map((status) => {
    const attempt = (attempts.get(status.name) ?? 0) + 1;
    attempts.set(status.name, attempt);
    return toCheck(status, { attempt, needsPipeline });
  });
  return checks.sort((one, other) => Date.parse(one.startedAt) - Date.parse(other.startedAt));
}

function toCheck(
  status: GitLabStatus,
  { attempt, needsPipeline }: { readonly attempt: number; readonly needsPipeline: boolean | null },
): Check {
  const { id, name, sha: head, description, target_url: url, allow_failure: isAllowed } = status;
  const conclusion = toConclusion(status);
  return {
    id: `job-${id}`,
    name,
    head,
    conclusion,
    attempt,
    required: isAllowed === true ? false : needsPipeline,
    summary: description ?? '',
    startedAt: status.started_at ?? status.created_at,
    endedAt: conclusion === null ? null : (status.finished_at ?? status.started_at ?? status.created_at),
    url: url ?? null,
  };
}

const conclusions: Readonly<Record<string, CheckConclusion>> = {
  success: 'success',
  failed: 'failure',
  canceled: 'cancelled',
  skipped: 'skipped',
  manual: 'action-required',
};

/** A failure that is allowed is none; a job that nobody has to start is skipped. Null for whatever else: it waits or runs. */
function toConclusion({ status, allow_failure: isAllowed }: GitLabStatus): CheckConclusion | null {
  const conclusion = conclusions[status] ?? null;
  if (isAllowed !== true) return conclusion;
  if (conclusion === 'failure') return 'neutral';
  return conclusion === 'action-required' ? 'skipped' : conclusion;
}

/** The end of a log without colors; of a line that was written over, as GitLab's own marks of sections are, its last state. */
function toLog(trace: string): string {
  const lines = keepLastLines(trace, { maxChars: 2 * maxLogChars }).split('\n');
  const last = lines.map((line) => line.replace(/\r$/u, '').split('\r').at(-1) ?? '');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a color begins with one.
  const plain = last.join('\n').replaceAll(/\u001b\[[0-9;]*[A-Za-z]/gu, '');
  return keepLastLines(plain, { maxChars: maxLogChars });
}

function isForbidden(error: unknown): boolean {
  return PlatformError.isInstance(error) && error.code === 'forbidden';
}

/** GitLab says 403 for a job that runs still or was run again, and 404 for what no job of its own said. */
function toConflict(error: unknown, name: string): unknown {
  const isOver = PlatformError.isInstance(error) && /not retryable/iu.test(error.message);
  if (!isOver && !isNotFound(error)) return error;
  const message = `Could not run a job of ${name} again: it is still running, was already run again, or is not a GitLab job.`;
  return new PlatformError(message, { code: 'conflict', cause: error as Error });
}
