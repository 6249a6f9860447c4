import * as z from 'zod';
import { keepLastLines, readTail } from '../http/read-tail.ts';
import { PlatformError } from '../platform-error.ts';
import type { CallOptions } from '../ports.ts';
import type { Check, Checks } from '../review-ports.ts';
import { type RememberingClient, withAnswerMemory } from './github-answer-memory.ts';
import { pullSchema } from './github-answers.ts';
import type { GitHubCall } from './github-client.ts';
import type { GitHubThreadContext } from './github-context.ts';
import { checkRunSchema, jobSchema, statusSchema, toCheck, toStatusCheck } from './github-review-answers.ts';

const maxLogChars = 20_000;

/** Asks what belongs to one commit. */
interface CommitQuestion extends CallOptions {
  readonly client: RememberingClient;
  readonly head: string;
}

/**
 * Checks of a pull request: check runs and statuses, or the jobs of workflows where the token may not read checks, as no
 * fine-grained one may. What did not change costs nothing.
 *
 * @see https://docs.github.com/en/rest/checks/runs#list-check-runs-for-a-git-reference
 * @see https://docs.github.com/en/rest/commits/statuses
 * @see https://docs.github.com/en/rest/actions/workflow-jobs
 */
export function createGitHubChecks(context: GitHubThreadContext): Checks {
  const client = withAnswerMemory(context.client, { memory: new Map() });
  return {
    readHead: async ({ signal } = {}) => (await readPull(context, { client, signal })).head.sha,
    list: async ({ head, signal }) => {
      const question = { client, head, signal };
      const { base } = await readPull(context, question);
      const required = await listRequired(context, { ...question, branch: base.ref });
      const runs = await firstReadable([
        () => listRuns(context, question),
        () => listJobs(context, question),
      ]);
      const statuses = await firstReadable([() => listStatuses(context, question), async () => []]);
      return toAttempts([...runs, ...statuses], { head, required });
    },
    readLog: (check, { signal } = {}) => readJobLog(context, { id: check.id, signal }),
    rerun: (check, { signal } = {}) => runAgain(context, { id: check.id, signal }),
  };
}

/** Numbers the attempts of each name, and lists what is required and has not begun as waiting. */
function toAttempts(
  checks: readonly Check[],
  { head, required }: { readonly head: string; readonly required: ReadonlySet<string> | null },
): readonly Check[] {
  const counts = new Map<string, number>();
  const sorted = checks.toSorted((one, other) => Date.parse(one.startedAt) - Date.parse(other.startedAt));
  const numbered = sorted.map((check) => {
    const attempt = (counts.get(check.name) ?? 0) + 1;
    counts.set(check.name, attempt);
    return { ...check, attempt, required: required?.has(check.name) ?? null };
  });
  const missing = [...(required ?? [])].filter((name) => !counts.has(name));
  return [...numbered, ...missing.map((name) => toExpected(name, head))];
}

function toExpected(name: string, head: string): Check {
  const nothing = { conclusion: null, summary: '', endedAt: null, url: null };
  const id = `expected-${name}`;
  return {
    ...{ id, name, head, attempt: 1, required: true },
    startedAt: new Date(0).toISOString(),
    ...nothing,
  };
}

/** The first list that the token may read. @throws the refusal of the first where it may read none */
async function firstReadable(lists: readonly (() => Promise<readonly Check[]>)[]): Promise<readonly Check[]> {
  let refusal: unknown = null;
  for (const list of lists) {
    try {
      return await list();
    } catch (error) {
      if (!PlatformError.isInstance(error) || error.code !== 'forbidden') throw error;
      refusal ??= error;
    }
  }
  throw refusal;
}

async function listRuns(context: GitHubThreadContext, { client, head, signal }: CommitQuestion) {
  const page = z.object({ check_runs: z.array(checkRunSchema) });
  const call = {
    ...callOf(context, { doing: 'list the checks', permission: 'checks: read', signal }),
    route: 'GET /repos/{owner}/{repo}/commits/{ref}/check-runs',
    parameters: { ...context.place, ref: head, filter: 'all', per_page: 100 },
  };
  const pages = await askPages(client, call, page);
  return pages.flatMap(({ check_runs: runs }) => runs).map((run) => toCheck(run, unplaced));
}

async function listJobs(context: GitHubThreadContext, { client, head, signal }: CommitQuestion) {
  const common = callOf(context, {
    doing: 'list the jobs of workflows',
    permission: 'actions: read',
    signal,
  });
  const runs = await askPages(
    client,
    {
      ...common,
      route: 'GET /repos/{owner}/{repo}/actions/runs',
      parameters: { ...context.place, head_sha: head, per_page: 100 },
    },
    z.object({ workflow_runs: z.array(z.object({ id: z.number() })) }),
  );
  const jobs: Check[] = [];
  for (const { id } of runs.flatMap(({ workflow_runs: some }) => some)) {
    const call = {
      ...common,
      route: 'GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs',
      parameters: { ...context.place, run_id: id, filter: 'all', per_page: 100 },
    };
    const pages = await askPages(client, call, z.object({ jobs: z.array(jobSchema) }));
    jobs.push(...pages.flatMap((page) => page.jobs).map((job) => toCheck(job, unplaced)));
  }
  return jobs;
}

async function listStatuses(context: GitHubThreadContext, { client, head, signal }: CommitQuestion) {
  const call = {
    ...callOf(context, { doing: 'list the statuses', permission: 'statuses: read', signal }),
    route: 'GET /repos/{owner}/{repo}/commits/{ref}/statuses',
    parameters: { ...context.place, ref: head, per_page: 100 },
  };
  const statuses = (await askPages(client, call, z.array(statusSchema))).flat();
  // GitHub shows the newest first, several of one second, too.
  return statuses.toReversed().map((status) => toStatusCheck(status, { ...unplaced, head }));
}

/** Names of the checks that the base branch requires; null where the token may not know. */
async function listRequired(
  context: GitHubThreadContext,
  { client, branch, signal }: CommitQuestion & { readonly branch: string },
): Promise<ReadonlySet<string> | null> {
  const call = {
    ...callOf(context, { doing: 'read what the base branch requires', permission: 'contents: read', signal }),
    route: 'GET /repos/{owner}/{repo}/branches/{branch}',
    parameters: { ...context.place, branch },
  };
  try {
    const { data } = await client.ask(call, branchSchema);
    return new Set(data.protection?.required_status_checks?.contexts ?? []);
  } catch (error) {
    if (PlatformError.isInstance(error) && isRefusal(error)) return null;
    throw error;
  }
}

const branchSchema = z.object({
  protection: z
    .object({ required_status_checks: z.object({ contexts: z.array(z.string()).nullish() }).nullish() })
    .nullish(),
});

/** Set by `toAttempts`, which sees all. */
const unplaced = { attempt: 1, required: null };

async function readPull(
  context: GitHubThreadContext,
  { client, signal }: { readonly client: RememberingClient } & CallOptions,
) {
  const call = {
    ...callOf(context, { doing: 'read the head', permission: 'pull_requests: read', signal }),
    route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}',
    parameters: { ...context.place, pull_number: context.key.number },
  };
  return (await client.ask(call, pullSchema)).data;
}

/** Answers of these lists are objects around the items. */
async function askPages<Schema extends z.ZodType>(
  client: RememberingClient,
  call: GitHubCall,
  schema: Schema,
): Promise<readonly z.output<Schema>[]> {
  const pages: z.output<Schema>[] = [];
  for (let page: string | undefined; ; ) {
    const { data, next } = await client.ask({ ...call, page }, schema);
    pages.push(data);
    if (next === null) return pages;
    page = next;
  }
}

/** The end of a job's log, which lies on another host: it is asked without the token. */
async function readJobLog(
  context: GitHubThreadContext,
  { id, signal }: Pick<Check, 'id'> & CallOptions,
): Promise<string | null> {
  const { client, settings } = context;
  const job = /^job-(\d+)$/u.exec(id)?.[1];
  if (job === undefined) return null;
  const call = {
    ...callOf(context, { doing: 'read the log of a job', permission: 'actions: read', signal }),
    route: 'GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs',
    parameters: { ...context.place, job_id: job },
  };
  try {
    const address = await client.locate(call);
    const text = address && (await readTail(address, { ...settings, maxChars: 2 * maxLogChars, signal }));
    // Each line begins with its time.
    return text === null
      ? null
      : keepLastLines(text.replaceAll(/^\uFEFF?\d{4}-\d\d-\d\dT[\d:.]+Z /gmu, ''), {
          maxChars: maxLogChars,
        });
  } catch (error) {
    if (PlatformError.isInstance(error) && isRefusal(error)) return null;
    throw error;
  }
}

async function runAgain(
  context: GitHubThreadContext,
  { id, signal }: Pick<Check, 'id'> & CallOptions,
): Promise<void> {
  const [, kind, number] = /^(job|run)-(\d+)$/u.exec(id) ?? [];
  const route =
    kind === 'job'
      ? 'POST /repos/{owner}/{repo}/actions/jobs/{number}/rerun'
      : 'POST /repos/{owner}/{repo}/check-runs/{number}/rerequest';
  const permission = kind === 'job' ? 'actions: write' : 'checks: write';
  const common = callOf(context, { doing: 'run a check again', permission, signal });
  if (kind === undefined)
    throw notAgain(`Could not ${common.doing}: only the program that set a commit status can run it again.`);
  try {
    await context.client.ask({ ...common, route, parameters: { ...context.place, number } }, z.unknown());
  } catch (error) {
    if (
      PlatformError.isInstance(error) &&
      /already running|not rerequestable|cannot be re/iu.test(error.message)
    )
      throw notAgain(error.message, error);
    throw error;
  }
}

function notAgain(message: string, cause?: unknown): PlatformError {
  return new PlatformError(message, { code: 'conflict', cause });
}

function isRefusal({ code }: PlatformError): boolean {
  return code === 'forbidden' || code === 'not-found';
}

function callOf(
  { repository, name }: GitHubThreadContext,
  { doing, ...asked }: Pick<GitHubCall, 'doing' | 'permission' | 'signal'>,
): Pick<GitHubCall, 'doing' | 'permission' | 'signal' | 'repository'> {
  return { ...asked, doing: `${doing} of ${name}`, repository };
}
