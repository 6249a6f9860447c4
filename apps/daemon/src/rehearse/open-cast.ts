import {
  type AccountChecks,
  type AgentAccount,
  checkAccess,
  checkRehearsedModel,
  openAgentAccount,
} from './check-accounts.ts';
import type { CheckSheet } from './check-sheet.ts';
import type { Desk, DeskOptions } from './desk/desk.ts';
import { createGitHubDesk } from './desk/github-desk.ts';
import { createGitLabDesk } from './desk/gitlab-desk.ts';
import { createInteractivePerson } from './interactive-person.ts';
import { createCredentialPerson, type Person } from './person.ts';
import type { RehearsalConfig } from './rehearsal-config.ts';
import type { openShapes } from './shapes/index.ts';
import { findVendorPage, type Patience, type Traces } from './stage.ts';
import type { RehearsalTexts } from './texts.en.ts';
import type { RehearsalClock } from './wait-for.ts';

/** Options that decide about the accounts of a rehearsal. */
export interface CastOptions {
  /** Token of the account that plays the user; null to ask the user for each step. */
  readonly personToken: string | null;
  readonly texts: RehearsalTexts;
  readonly patience: Patience;
  readonly clock: RehearsalClock;
  readonly tell: (text: string) => void;
  /** Interrupts the story; the clean-up follows. */
  readonly signal: AbortSignal;
}

/** Parts that the steps of a rehearsal share. */
export interface RehearsalParts {
  readonly options: CastOptions;
  readonly config: RehearsalConfig;
  readonly sheet: CheckSheet;
  readonly traces: Traces;
  readonly recorder: ReturnType<typeof openShapes>;
}

/** Accounts of a rehearsal. */
export interface Cast {
  readonly account: AgentAccount;
  readonly person: Person;
}

/** Checks the accounts and the model. @returns null if the story cannot begin */
export async function openCast(parts: RehearsalParts, checks: AccountChecks): Promise<Cast | null> {
  const { options, sheet, config } = parts;
  const { texts } = options;
  const timed = async (name: 'access' | 'model', check: () => ReturnType<typeof checkAccess>) => {
    const beginAt = options.clock.now();
    const verdict = await check();
    options.signal.throwIfAborted();
    const fix = verdict.status === 'failed' ? (verdict.fix ?? texts.fixes[name]) : null;
    sheet.add(name, { ...verdict, fix }, options.clock.now() - beginAt);
  };
  const account = await openAgentAccount(checks).catch((error: Error) => {
    options.signal.throwIfAborted();
    sheet.add('access', { status: 'failed', text: error.message, fix: texts.fixes.access });
    return null;
  });
  if (account === null) return null;
  await timed('access', () => checkAccess(checks, account.login));
  await timed('model', () => checkRehearsedModel(checks));
  const person = await openPerson(parts, account);
  if (
    person === null ||
    !sheet.passed('access') ||
    sheet.list().some(({ name, status }) => name === 'model' && status === 'failed')
  )
    return null;
  const who = options.personToken === null ? texts.interactive : `@${person.login()}`;
  options.tell(texts.intro(config.repository, account.login, who));
  return { account, person };
}

async function openPerson(parts: RehearsalParts, account: AgentAccount): Promise<Person | null> {
  const { options, config, sheet } = parts;
  const { texts, personToken, clock, patience, signal } = options;
  const fail = (text: string) => {
    const url = findVendorPage(config.platform, 'person');
    sheet.add('person', { status: 'failed', text, fix: texts.fixes.person, url });
    return null;
  };
  if (personToken === null) {
    sheet.add('person', { status: 'passed', text: texts.personInteractive });
    return createInteractivePerson({
      ...{ desk: deskOf(parts, account.token), agentLogin: account.login, texts, tell: options.tell },
      toNewIssuePage: (issue) => toNewIssuePage(config, issue),
      wait: { clock, patienceMs: patience.modelMs, intervalMs: patience.intervalMs, signal },
    });
  }
  const desk = deskOf(parts, async () => personToken);
  try {
    const { login } = await desk.probe.whoAmI();
    if (login.toLowerCase() === account.login.toLowerCase()) return fail(texts.sameAccount(login));
    if (!(await desk.probe.readAccess()).canWrite) return fail(texts.personCannotWrite(login));
    sheet.add('person', { status: 'passed', text: texts.personPassed(login) });
    return createCredentialPerson(desk, login);
  } catch (error) {
    signal.throwIfAborted();
    return fail((error as Error).message);
  }
}

/** Opens the desk of an account. `signal`: default that of the rehearsal. */
export function deskOf(
  { config, recorder, options }: RehearsalParts,
  token: () => Promise<string>,
  signal: AbortSignal = options.signal,
): Desk {
  return openDesk(config, { token, fetch: recorder.fetch, signal });
}

const create = { github: createGitHubDesk, gitlab: createGitLabDesk } as const;

/** Opens the desk of one account in the repository of a rehearsal. */
function openDesk(config: RehearsalConfig, options: Pick<DeskOptions, 'token' | 'fetch' | 'signal'>): Desk {
  const section = sectionOf(config);
  return create[config.platform]({
    ...{ ...options, baseUrl: section.base_url, repository: config.repository },
    timeoutMs: section.timeout_seconds * 1_000,
  });
}

/** Page on which a user opens an issue with this title and text. */
function toNewIssuePage(
  config: RehearsalConfig,
  { title, body, label }: { readonly title: string; readonly body: string; readonly label: string },
): string {
  const { origin, host } = new URL(sectionOf(config).base_url);
  if (config.platform === 'gitlab') {
    const query = new URLSearchParams({ 'issue[title]': title, 'issue[description]': body });
    return `${origin}/${config.repository}/-/issues/new?${query}`;
  }
  const site = host === 'api.github.com' ? 'https://github.com' : origin;
  return `${site}/${config.repository}/issues/new?${new URLSearchParams({ title, body, labels: label })}`;
}

function sectionOf({ loaded, platform }: RehearsalConfig) {
  const section = loaded.config.platforms[platform];
  if (section === null)
    throw new Error(`The configuration of a rehearsal has a section platforms.${platform}.`);
  return section;
}
