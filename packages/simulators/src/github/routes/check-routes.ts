import { z } from 'zod';
import { type Commit, readCommit } from '../../shared/git/commits.ts';
import { resolveCommit } from '../../shared/git/refs.ts';
import { latestRuns, phaseOf, pullsAt, runsOf } from '../checks/read-checks.ts';
import { addCheckRun, ensureSuite, noOutput } from '../checks/write-checks.ts';
import { created, ok } from '../http/answers.ts';
import { paged } from '../http/pagination.ts';
import { bodyOf } from '../http/request-body.ts';
import { numberParameter, onRepository, type RepositoryCall, reads, writes } from '../http/requirements.ts';
import { type Answer, parameter, type Route, route } from '../http/route.ts';
import type { App } from '../state/app-model.ts';
import type { CheckPhase, CheckRun, CheckSuite } from '../state/check-model.ts';
import { forbidden, notFound, unprocessable } from '../state/refusal.ts';
import { type CheckSeen, showAnnotation, showCheckRun, showCheckSuite } from '../views/check-view.ts';
import { choice } from './list-issues.ts';

const address = '/repos/{owner}/{repo}';
const runs = 'checks/runs';
const suites = 'checks/suites';
const reading = reads('checks');
const writing = writes('checks');

/** Check runs and their suites. Apps alone write them. */
export const checkRoutes: readonly Route[] = [
  route(
    `GET ${address}/commits/{ref}/check-runs`,
    `${runs}#list-check-runs-for-a-git-reference`,
    onRepository(reading, async (call) => {
      const { sha } = await commitOf(call, parameter(call, 'ref'));
      return listRuns(call, runsOf(call.repository.checks, sha));
    }),
  ),
  route(
    `GET ${address}/commits/{ref}/check-suites`,
    `${suites}#list-check-suites-for-a-git-reference`,
    onRepository(reading, listSuites),
  ),
  route(`POST ${address}/check-runs`, `${runs}#create-a-check-run`, onRepository(writing, createRun)),
  route(
    `GET ${address}/check-runs/{check_run_id}`,
    `${runs}#get-a-check-run`,
    onRepository(reading, (call) => ok(showCheckRun(runOf(call), seenBy(call)))),
  ),
  route(
    `PATCH ${address}/check-runs/{check_run_id}`,
    `${runs}#update-a-check-run`,
    onRepository(writing, updateRun),
  ),
  route(
    `GET ${address}/check-runs/{check_run_id}/annotations`,
    `${runs}#list-check-run-annotations`,
    onRepository(reading, listAnnotations),
  ),
  route(
    `POST ${address}/check-runs/{check_run_id}/rerequest`,
    `${runs}#rerequest-a-check-run`,
    onRepository(reading, (call) => rerequest(call, runOf(call).suite)),
  ),
  route(
    `GET ${address}/check-suites/{check_suite_id}`,
    `${suites}#get-a-check-suite`,
    onRepository(reading, (call) => ok(showCheckSuite(suiteOf(call), seenBy(call)))),
  ),
  route(
    `GET ${address}/check-suites/{check_suite_id}/check-runs`,
    `${runs}#list-check-runs-in-a-check-suite`,
    onRepository(reading, (call) => {
      const suite = suiteOf(call);
      return listRuns(
        call,
        [...call.repository.checks.runs.values()].filter((run) => run.suite === suite),
      );
    }),
  ),
  route(
    `POST ${address}/check-suites/{check_suite_id}/rerequest`,
    `${suites}#rerequest-a-check-suite`,
    onRepository(writing, (call) => rerequest(call, suiteOf(call))),
  ),
];

const output = z.object({
  title: z.string().optional(),
  summary: z.string(),
  text: z.string().optional(),
  annotations: z
    .array(
      z.object({
        path: z.string(),
        start_line: z.int(),
        end_line: z.int(),
        start_column: z.int().nullish(),
        end_column: z.int().nullish(),
        annotation_level: z.enum(['notice', 'warning', 'failure']),
        message: z.string(),
        title: z.string().nullish(),
        raw_details: z.string().nullish(),
      }),
    )
    .max(50)
    .default([]),
});
const conclusions = [
  'success',
  'failure',
  'neutral',
  'cancelled',
  'skipped',
  'timed_out',
  'action_required',
] as const;
const change = z.object({
  name: z.string().optional(),
  details_url: z.string().optional(),
  status: z.enum(['queued', 'in_progress', 'completed']).optional(),
  started_at: z.iso.datetime().optional(),
  conclusion: z.enum(conclusions).optional(),
  completed_at: z.iso.datetime().optional(),
  output: output.optional(),
});
const creation = change.extend({
  name: z.string(),
  head_sha: z.string(),
  external_id: z.string().optional(),
});

/** The commit that a branch, a tag or an id means. @throws {Refusal} 422 */
export async function commitOf(call: RepositoryCall, ref: string): Promise<Commit> {
  const directory = call.repository.gitDirectory;
  const sha = await resolveCommit(call.git, directory, ref.replace(/^heads\//, ''));
  const commit = sha && (await readCommit(call.git, directory, sha));
  if (!commit) throw unprocessable(`No commit found for SHA: ${ref}`);
  return commit;
}

/** Where and when a call looks at checks. */
export function seenBy({ repository, urls, state }: RepositoryCall): CheckSeen {
  return { repository, urls, now: state.now() };
}

/** `filter=latest` is the newest of each name. */
function listRuns(call: RepositoryCall, all: readonly CheckRun[]): Answer {
  const { query } = call;
  const seen = seenBy(call);
  const isAll = choice(call, 'filter', ['latest', 'all']) === 'all';
  const wanted = (isAll ? all : latestRuns(all)).filter(
    (run) =>
      (query.get('check_name') ?? run.name) === run.name &&
      Number(query.get('app_id') ?? run.suite.app.id) === run.suite.app.id &&
      (query.get('status') ?? phaseOf(run, seen.now).status) === phaseOf(run, seen.now).status,
  );
  const page = paged(call, wanted, (run) => showCheckRun(run, seen));
  return { ...page, body: { total_count: wanted.length, check_runs: page.body } };
}

async function listSuites(call: RepositoryCall): Promise<Answer> {
  const { sha } = await commitOf(call, parameter(call, 'ref'));
  const appId = call.query.get('app_id');
  const found = [...call.repository.checks.suites.values()].filter(
    ({ commit, app }) => commit.sha === sha && (appId === null || Number(appId) === app.id),
  );
  const page = paged(call, found, (suite) => showCheckSuite(suite, seenBy(call)));
  return { ...page, body: { total_count: found.length, check_suites: page.body } };
}

async function createRun(call: RepositoryCall): Promise<Answer> {
  const app = writerOf(call);
  const { name, head_sha: sha, external_id: externalId = '', ...rest } = bodyOf(call, creation);
  const commit = await commitOf(call, sha);
  const branch = pullsAt(call.repository, sha)[0]?.pull?.headBranch ?? null;
  const suite = ensureSuite(call.state, call.repository, { app, commit, branch });
  const run = addCheckRun(call.state, call.repository, {
    suite,
    name,
    externalId,
    detailsUrl: rest.details_url ?? app.url,
    phases: [nextPhase(call, rest, null)],
  });
  return created(showCheckRun(run, seenBy(call)));
}

function updateRun(call: RepositoryCall): Answer {
  const app = writerOf(call);
  const run = runOf(call);
  if (run.suite.app !== app)
    throw forbidden(
      `Invalid app_id \`${app.id}\` - check run can only be modified by the GitHub App that created it.`,
    );
  const asked = bodyOf(call, change);
  run.phases.push(nextPhase(call, asked, phaseOf(run, call.state.now())));
  run.name = asked.name ?? run.name;
  run.detailsUrl = asked.details_url ?? run.detailsUrl;
  return ok(showCheckRun(run, seenBy(call)));
}

/** The next phase of a check run as its app says it: a conclusion completes it, annotations are added to those before. */
function nextPhase(
  call: RepositoryCall,
  asked: z.infer<typeof change>,
  before: CheckPhase | null,
): CheckPhase {
  const now = call.state.now();
  const status = asked.conclusion ? 'completed' : (asked.status ?? before?.status ?? 'queued');
  const conclusion = status === 'completed' ? (asked.conclusion ?? before?.conclusion ?? null) : null;
  if (status === 'completed' && conclusion === null)
    throw unprocessable('Invalid request.\n\n"conclusion" wasn\'t supplied.');
  const said = asked.output;
  const known = before?.output ?? noOutput;
  const time = (text: string | undefined) => (text === undefined ? null : Date.parse(text));
  return {
    at: now,
    status,
    conclusion,
    startedAt: time(asked.started_at) ?? before?.startedAt ?? now,
    completedAt: status === 'completed' ? (time(asked.completed_at) ?? now) : null,
    output: {
      title: said?.title ?? known.title,
      summary: said?.summary ?? known.summary,
      text: said?.text ?? known.text,
    },
    annotations: [
      ...(before?.annotations ?? []),
      ...(said?.annotations ?? []).map((one) => ({
        path: one.path,
        startLine: one.start_line,
        endLine: one.end_line,
        startColumn: one.start_column ?? null,
        endColumn: one.end_column ?? null,
        level: one.annotation_level,
        message: one.message,
        title: one.title ?? null,
        rawDetails: one.raw_details ?? null,
      })),
    ],
  };
}

function listAnnotations(call: RepositoryCall): Answer {
  const run = runOf(call);
  const seen = { ...seenBy(call), suite: run.suite };
  return paged(call, phaseOf(run, seen.now).annotations, (annotation) => showAnnotation(annotation, seen));
}

/** The app is asked by a webhook to check again; what it does then is its own. */
function rerequest(call: RepositoryCall, { app }: CheckSuite): Answer {
  if (writerOf(call) !== app) throw forbidden('This check suite is not rerequestable');
  return { status: 201, body: {} };
}

/** @throws {Refusal} 403 for a person */
function writerOf({ token }: RepositoryCall): App {
  if (!token?.installation) throw forbidden('You must authenticate via a GitHub App.');
  return token.installation.app;
}

function runOf(call: RepositoryCall): CheckRun {
  const run = call.repository.checks.runs.get(numberParameter(call, 'check_run_id'));
  if (!run) throw notFound();
  return run;
}

function suiteOf(call: RepositoryCall): CheckSuite {
  const suite = call.repository.checks.suites.get(numberParameter(call, 'check_suite_id'));
  if (!suite) throw notFound();
  return suite;
}
