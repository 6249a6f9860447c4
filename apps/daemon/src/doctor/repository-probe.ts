import { askRemote } from '@agent/workspace';
import { type BuiltInSection, type PlatformLabels, toTaskLabels } from '../platforms/section.ts';
import { type Answer, type AreaReport, type AskOptions, ask, type Question } from './finding.ts';
import type { DoctorTexts } from './texts.en.ts';

/** One repository that is looked at. */
export interface RepositoryProbe {
  /** `owner/repo` or `group/project`. */
  readonly path: string;
  /** The account that works. */
  readonly login: string;
  /** Page on which a token with more rights is made. */
  readonly tokenPage: string;
  readonly report: AreaReport;
  readonly texts: DoctorTexts;
  /** Asks the API; `url` begins after its base address. */
  readonly ask: (question: Omit<Question, 'headers'>) => Promise<Answer>;
  /** Asks git whether it would take a push: what git itself asks first. */
  readonly askPush: (cloneUrl: string) => Promise<Answer>;
  /** Asks git itself for the branches, as a run does; rejects with what it said. */
  readonly askGit: (cloneUrl: string) => Promise<void>;
}

export interface ProbeOptions
  extends AskOptions,
    Pick<RepositoryProbe, 'login' | 'tokenPage' | 'report' | 'texts'> {
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly gitCredentials: { readonly username: string; readonly token: string };
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Makes the probe of one repository. */
export function createProbe(path: string, options: ProbeOptions): RepositoryProbe {
  const { base, headers, gitCredentials, login, tokenPage, report, texts } = options;
  const authorization = `Basic ${Buffer.from(`${gitCredentials.username}:${gitCredentials.token}`).toString('base64')}`;
  return {
    path,
    login,
    tokenPage,
    report,
    texts,
    ask: ({ url, ...question }) => ask({ ...question, url: `${base}${url}`, headers }, options),
    askPush: (cloneUrl) =>
      ask({ url: `${cloneUrl}/info/refs?service=git-receive-pack`, headers: { authorization } }, options),
    askGit: (cloneUrl) =>
      askRemote({
        cloneUrl,
        ...gitCredentials,
        environment: options.environment,
        timeoutMs: options.timeoutMs,
        signal: options.signal,
      }),
  };
}

/** A right, and how a question is answered to those who have it. */
export interface ProbedRight {
  readonly right: string;
  readonly granted: number;
  readonly answer: Answer;
}

/** Reports the rights that are missing; says whether there are none. */
export function reportRights(probe: RepositoryProbe, rights: readonly ProbedRight[]): boolean {
  const { path, report, texts, tokenPage: url } = probe;
  for (const { right, granted, answer } of rights) {
    const { status } = answer;
    if (status === granted) continue;
    const fix = { fix: texts.fixRight(right), url };
    if ([401, 403, 404].includes(status)) report.failed(texts.mayNot(path, right, status), fix);
    else report.warning(texts.unknownAnswer(path, right, status), fix);
  }
  return rights.every(({ granted, answer }) => answer.status === granted);
}

/** Reports what git says where the API answered; says whether it is well. */
export async function reportGit(probe: RepositoryProbe, cloneUrl: string): Promise<boolean> {
  const { path, report, texts } = probe;
  try {
    await probe.askGit(cloneUrl);
    return true;
  } catch (error) {
    report.failed(texts.gitFails(path, (error as Error).message), { fix: texts.fixGitNetwork });
    return false;
  }
}

/** Addresses behind which a platform tells what a trigger needs. */
export interface TriggerAddresses {
  /** Says whether this label is there. */
  readonly label: (label: string) => string;
  /** Asks whether this account can be assigned; null where that could not be asked. */
  readonly askAssignable: (login: string) => Promise<boolean | null>;
}

/** Reports whether people can give threads of this repository to the agent as the configuration says. */
export async function reportTrigger(
  probe: RepositoryProbe,
  { section, addresses }: { readonly section: BuiltInSection; readonly addresses: TriggerAddresses },
): Promise<void> {
  const { path, report, texts } = probe;
  const login = probe.login.replace(/\[bot\]$/, '');
  if (section.trigger === 'label') return reportLabels(probe, { labels: section, address: addresses.label });
  if (section.trigger === 'mention') return report.ok(texts.mentioned(path, login));
  const isAssignable = await addresses.askAssignable(probe.login);
  if (isAssignable === true) report.ok(texts.assignable(path, login));
  else if (isAssignable === false)
    report.failed(texts.notAssignable(path, login), { fix: texts.fixAssignable(login) });
}

/** Reports which labels the daemon will make, and that people lack the one that they set; `address` says where one is asked for. */
async function reportLabels(
  probe: RepositoryProbe,
  { labels, address }: { readonly labels: PlatformLabels; readonly address: (label: string) => string },
): Promise<void> {
  const { path, report, texts } = probe;
  const missing: string[] = [];
  for (const label of Object.values(toTaskLabels(labels))) {
    const { status } = await probe.ask({ url: address(encodeURIComponent(label)) });
    if (status === 404) missing.push(label);
    // Who may not ask has been told so by the rights.
    else if (status !== 200) return;
  }
  const { bot_label: bot } = labels;
  if (missing.includes(bot)) report.warning(texts.labelNotThere(path, bot), { fix: texts.fixLabel(bot) });
  const made = missing.filter((label) => label !== bot);
  if (made.length > 0) report.ok(texts.labelsMissing(path, made.join(', ')));
  if (missing.length === 0) report.ok(texts.labelsThere(path));
}
