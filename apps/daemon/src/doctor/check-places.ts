import { findBlockingBranch } from '@agent/orchestrator/config';
import {
  type BuiltInSection,
  type ConnectedPlatform,
  createPlaceReader,
  createPlaceSearch,
  listNames,
  type NamedPlatform,
  type PlatformSettings,
  toTaskLabels,
} from '@agent/orchestrator/platforms';
import type { ExaminedTrigger, RepositoryFinding } from '@agent/platforms/examination';
import { askRemote } from '@agent/workspace';
import { type DoctorTools, type Remedy, reportOn, type Statement, state } from './finding.ts';
import { PlaceProblems } from './place-problems.ts';
import {
  type AdvisedPlatform,
  adviseOnPlatform,
  type CredentialKind,
  toCredentialKind,
} from './platform-advice.ts';
import type { DoctorTexts } from './texts.en.ts';

/** Repositories that the configuration names, and that its patterns match. */
export interface ExaminedPlaces {
  readonly named: readonly string[];
  readonly found: readonly string[];
}

/** Reports what each pattern matches, and lists the names in the configuration and the matches. */
export async function findPlaces(
  { texts, report: tell, now, signal }: DoctorTools,
  { name, section, entry, connected }: NamedPlatform & { readonly connected: ConnectedPlatform },
): Promise<ExaminedPlaces> {
  const names = listNames(entry.listPlaces(section));
  const search = createPlaceSearch({
    finder: connected.platform.repositories,
    readSettings: createPlaceReader(entry, () => section),
    section: `platforms.${name}`,
    now,
  });
  const report = reportOn(name, tell);
  const failures = await search.refresh({ signal });
  const { patterns, found } = search.selection();
  for (const { place, error } of failures)
    report.failed(error.message, { fix: texts.fixPattern(place, `platforms.${name}`) });
  const failed = new Set(failures.map(({ place }) => place));
  for (const { text, found: count } of patterns.filter(({ text }) => !failed.has(text)))
    if (count === 0) report.warning(texts.patternFindsNone(text), { fix: texts.fixEmptyPattern });
    else report.ok(texts.patternFinds(text, count));
  return { named: names, found: found.map(({ path }) => path) };
}

const maxFoundAtWork = 10;

/**
 * Reports what the token can do in each place, without changing anything. Of places that a pattern matches only what is to
 * be fixed is reported, and how many are well.
 */
export async function checkPlaces(
  tools: DoctorTools,
  platform: AdvisedPlatform & { readonly places: ExaminedPlaces } & Pick<PlatformSettings, 'environment'> &
    Record<'login' | 'token' | 'branchPrefix', string>,
): Promise<void> {
  const { name, section, entry, places, environment, login, tokenPage, token, branchPrefix } = platform;
  const { fetch, signal, now, texts, readsOnly = false } = tools;
  const timeoutMs = section.timeout_seconds * 1_000;
  let branches: readonly string[] = [];
  const examine = await entry.examination.createExaminer({
    baseUrl: section.base_url,
    trigger: toExaminedTrigger(section),
    ...{ token, login, readsOnly, timeoutMs, fetch, signal, now },
    askGit: async (access) => {
      branches = await askRemote({ ...access, environment, timeoutMs, signal });
    },
  });
  const report = reportOn(name, tools.report);
  const credential = toCredentialKind(platform, token);
  const problems = new PlaceProblems(texts);
  let wellCount = 0;
  // Each costs five requests or more, and GitHub allows 5,000 an hour, which tasks need.
  const found = readsOnly ? places.found.slice(0, maxFoundAtWork) : places.found;
  for (const path of [...places.named, ...found]) {
    const isNamed = places.named.includes(path);
    let isWell = true;
    const tell = (statement: Statement): void => {
      if (statement.status !== 'ok') {
        isWell = false;
        problems.add(path, statement);
      } else if (isNamed) report.tell(statement);
    };
    branches = [];
    const place = { path, texts, tokenPage, credential, advise: () => adviseOnServer(platform, texts) };
    try {
      for await (const finding of examine(path)) tell(describePlace(finding, place));
      const blocking = findBlockingBranch(branches, branchPrefix);
      if (blocking !== null)
        tell(state.warning(texts.branchBlocks(path, blocking, branchPrefix), { fix: texts.fixBranchPrefix }));
    } catch (error) {
      const text = texts.notAsked(path, (error as Error).message);
      tell(state.failed(text, adviseOnPlatform(error, platform, tools)));
    }
    if (isWell && !isNamed) wellCount += 1;
  }
  for (const problem of problems.list()) report.tell(problem);
  if (wellCount > 0) report.ok(texts.foundAreWell(wellCount));
  if (found.length < places.found.length) tools.onSkipped?.(name, places.found.length - found.length);
}

/** Says where the API is, for an address that answers something else. */
function adviseOnServer({ name, entry: { init } }: AdvisedPlatform, texts: DoctorTexts): Remedy {
  const key = `platforms.${name}.base_url`;
  return { fix: texts.fixApiAddress({ key, usual: init.baseUrl, own: init.ownBaseUrl }) };
}

function toExaminedTrigger(section: BuiltInSection): ExaminedTrigger {
  if (section.trigger !== 'label') return { kind: section.trigger };
  const { waiting: label, ...others } = toTaskLabels(section);
  return { kind: 'label', label, others: Object.values(others) };
}

/** Place that a finding is about. */
export interface Place {
  readonly path: string;
  readonly texts: DoctorTexts;
  /** Page on which a token with more rights is made. */
  readonly tokenPage: string;
  readonly credential: CredentialKind;
  /** Remedy for an address that is not that of the API. */
  readonly advise: () => Remedy;
}

function describePlace(found: RepositoryFinding, place: Place): Statement {
  const { path, texts, tokenPage, credential } = place;
  switch (found.kind) {
    case 'invisible':
      return describeInvisible(found, place);
    case 'archived':
      return state.failed(texts.archived(path), { fix: texts.fixArchived, url: found.url });
    case 'issues-off':
      return state.warning(texts.noIssues(path), { fix: texts.fixIssues, url: found.url });
    case 'role-too-low':
      return state.failed(texts.roleTooLow(path, found.level), { fix: texts.fixRole, url: found.url });
    case 'right-missing':
    case 'right-unknown': {
      const { kind, right, status } = found;
      const remedy = { fix: texts.fixRight[credential](right), url: tokenPage };
      return kind === 'right-missing'
        ? state.failed(texts.mayNot(path, right, status), remedy)
        : state.warning(texts.unknownAnswer(path, right, status), remedy);
    }
    case 'git-fails':
      return state.failed(texts.gitFails(path, found.reason), { fix: adviseOnGit(found, texts) });
    case 'may-write':
      return state.ok(texts.mayWrite(path));
    case 'checks-hidden':
      return found.shown === 'jobs'
        ? state.ok(texts.checksAreJobs(path))
        : state.warning(texts.checksHidden(path), { fix: texts.fixChecks, url: tokenPage });
    case 'label-missing':
      return state.warning(texts.labelNotThere(path, found.label), { fix: texts.fixLabel(found.label) });
    case 'default-branch-open':
      return state.warning(texts.branchOpen(path, found.branch), {
        fix: texts.fixBranchOpen,
        url: found.url,
      });
    case 'labels-missing':
      return state.ok(texts.labelsMissing(path, found.labels.join(', ')));
    case 'labels-there':
      return state.ok(texts.labelsThere(path));
    case 'mentioned':
      return state.ok(texts.mentioned(path, found.login));
    case 'assignable':
      return state.ok(texts.assignable(path, found.login));
    case 'not-assignable':
      return state.failed(texts.notAssignable(path, found.login), { fix: texts.fixAssignable(found.login) });
  }
}

/** Tells apart why the API says nothing of a repository, by the status of its answer. */
function describeInvisible(
  { status, message }: Extract<RepositoryFinding, { readonly kind: 'invisible' }>,
  { path, texts, tokenPage: url, credential, advise }: Place,
): Statement {
  const answer = message === null ? `HTTP ${status}` : `HTTP ${status}: ${message}`;
  const access = { fix: texts.fixAccess[credential](path), url };
  if (status >= 500) return state.failed(texts.serverFailed(path, answer), { fix: texts.fixServerFault });
  if (status >= 300 && status < 400) return state.failed(texts.moved(path), { fix: texts.fixMoved });
  if (status === 429) return state.failed(texts.serverFailed(path, answer), { fix: texts.fixLater });
  if (status === 401 || status === 403) return state.failed(texts.noAccess(path, answer), access);
  if (status === 404 || status === 410) return state.failed(texts.cannotSee(path, answer), access);
  return state.failed(texts.otherAnswer(path, answer), advise());
}

const gitLoginCodes = new Set(['unauthorized', 'forbidden', 'not-found']);

function adviseOnGit(
  { code, reason }: Extract<RepositoryFinding, { readonly kind: 'git-fails' }>,
  texts: DoctorTexts,
): string {
  if (code === 'git-missing') return texts.fixGit;
  if (code !== null && gitLoginCodes.has(code)) return texts.fixGitLogin;
  return /certificate/i.test(reason) ? texts.fixGitCertificate : texts.fixGitNetwork;
}
