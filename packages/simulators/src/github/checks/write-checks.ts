import type { Commit } from '../../shared/git/commits.ts';
import type { App } from '../state/app-model.ts';
import type { CheckPhase, CheckRun, CheckSuite, CommitStatus } from '../state/check-model.ts';
import { takeId, timestamp } from '../state/create-state.ts';
import type { Repository, State } from '../state/model.ts';
import { addUser, findUser } from '../state/users.ts';

export const noOutput: CheckPhase['output'] = { title: null, summary: null, text: null };

/** The suite of an app for a commit, which is made with its first check run. */
export function ensureSuite(
  state: State,
  repository: Repository,
  wanted: { readonly app: App; readonly commit: Commit; readonly branch: string | null },
): CheckSuite {
  const { app, commit } = wanted;
  const known = [...repository.checks.suites.values()].find(
    (suite) => suite.app === app && suite.commit.sha === commit.sha,
  );
  return known ?? openSuite(state, repository, wanted);
}

/** A new suite: each run of a workflow has its own. */
export function openSuite(
  state: State,
  { checks }: Repository,
  suite: { readonly app: App; readonly commit: Commit; readonly branch: string | null },
): CheckSuite {
  const opened = { ...suite, id: takeId(state), createdAt: state.now() };
  checks.suites.set(opened.id, opened);
  return opened;
}

/** Begins a check run. */
export function addCheckRun(
  state: State,
  { checks }: Repository,
  run: Pick<CheckRun, 'suite' | 'name' | 'phases'> &
    Partial<Pick<CheckRun, 'externalId' | 'detailsUrl' | 'job'>>,
): CheckRun {
  const added: CheckRun = { externalId: '', detailsUrl: null, job: null, ...run, id: takeId(state) };
  checks.runs.set(added.id, added);
  return added;
}

/** Says a status, now or at a time to come. */
export function addStatus(
  state: State,
  { checks }: Repository,
  status: Omit<CommitStatus, 'id'>,
): CommitStatus {
  const added = { ...status, id: takeId(state) };
  checks.statuses.push(added);
  checks.statuses.sort((one, other) => one.at - other.at || one.id - other.id);
  return added;
}

/** An app of the server's own, e.g. `github-actions`. */
export function ownApp(state: State, name: string): App {
  const slug = name.toLowerCase().replaceAll(' ', '-');
  const known = [...state.apps.values()].find((app) => app.slug === slug);
  if (known) return known;
  const app: App = {
    id: takeId(state),
    slug,
    name,
    description: '',
    url: 'https://example.com',
    owner: findUser(state, 'github') ?? addUser(state, { login: 'github', type: 'Organization' }),
    bot: findUser(state, `${slug}[bot]`) ?? addUser(state, { login: `${slug}[bot]`, type: 'Bot' }),
    clientId: `Iv1.${slug}`,
    permissions: { checks: 'write', metadata: 'read', statuses: 'write' },
    events: [],
    createdAt: timestamp(state),
    publicKey: null,
  };
  state.apps.set(app.id, app);
  return app;
}
