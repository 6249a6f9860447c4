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
import { type DoctorTools, reportOn, type Statement, state } from './finding.ts';
import type { DoctorTexts } from './texts.en.ts';

/** Repositories that patterns found, of which it is examined what may be done there. */
const examinedFound = 10;

/** Reports what each pattern finds, and lists the names that are written with the first of those. */
export async function findPlaces(
  { texts, report: tell, now, signal }: DoctorTools,
  { name, section, entry, connected }: NamedPlatform & { readonly connected: ConnectedPlatform },
): Promise<readonly string[]> {
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
  const examined = found.slice(0, examinedFound).map(({ path }) => path);
  if (found.length > examined.length) report.ok(texts.notExamined(found.length - examined.length));
  return [...names, ...examined];
}

/** Reports what the token may do in each place, found out without changing anything. */
export async function checkPlaces(
  tools: DoctorTools,
  {
    name,
    section,
    entry,
    places,
    environment,
    login,
    tokenPage,
    token,
  }: NamedPlatform & { readonly places: readonly string[] } & Pick<PlatformSettings, 'environment'> &
    Record<'login' | 'tokenPage' | 'token', string>,
): Promise<void> {
  const { fetch, signal, texts } = tools;
  const timeoutMs = section.timeout_seconds * 1_000;
  const examine = await entry.examination.createExaminer({
    baseUrl: section.base_url,
    token,
    login,
    trigger: toExaminedTrigger(section),
    askGit: (access) => askRemote({ ...access, environment, timeoutMs, signal }),
    timeoutMs,
    fetch,
    signal,
  });
  const report = reportOn(name, tools.report);
  for (const path of places) {
    try {
      for await (const finding of examine(path))
        report.tell(describePlace(finding, { path, texts, tokenPage }));
    } catch (error) {
      const fix = texts.fixAddress(`platforms.${name}.base_url`);
      report.failed(texts.notAsked(path, (error as Error).message), { fix });
    }
  }
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
}

function describePlace(found: RepositoryFinding, { path, texts, tokenPage }: Place): Statement {
  switch (found.kind) {
    case 'invisible':
      return state.failed(texts.cannotSee(path, found.status), {
        fix: texts.fixAccess(path),
        url: tokenPage,
      });
    case 'archived':
      return state.failed(texts.archived(path), { fix: texts.fixArchived, url: found.url });
    case 'issues-off':
      return state.warning(texts.noIssues(path), { fix: texts.fixIssues, url: found.url });
    case 'role-too-low':
      return state.failed(texts.roleTooLow(path, found.level), { fix: texts.fixRole, url: found.url });
    case 'right-missing':
    case 'right-unknown': {
      const { kind, right, status } = found;
      const remedy = { fix: texts.fixRight(right), url: tokenPage };
      return kind === 'right-missing'
        ? state.failed(texts.mayNot(path, right, status), remedy)
        : state.warning(texts.unknownAnswer(path, right, status), remedy);
    }
    case 'git-fails':
      return state.failed(texts.gitFails(path, found.reason), { fix: texts.fixGitNetwork });
    case 'may-write':
      return state.ok(texts.mayWrite(path));
    case 'checks-hidden':
      return found.shown === 'jobs'
        ? state.ok(texts.checksAreJobs(path))
        : state.warning(texts.checksHidden(path), { fix: texts.fixChecks, url: tokenPage });
    case 'label-missing':
      return state.warning(texts.labelNotThere(path, found.label), { fix: texts.fixLabel(found.label) });
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
