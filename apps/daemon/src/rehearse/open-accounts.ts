import type { CheckResults, RehearsalClock, RepositoryCheck } from '@agent/rehearsal';
import type { RepositoryClient, RepositoryClientOptions } from '@agent/rehearsal/repository';
import { createGitHubClient, createGitLabClient } from '@agent/rehearsal/repository';
import type { openShapes } from '@agent/rehearsal/shapes';
import {
  type AccountChecks,
  type AgentAccount,
  checkAccess,
  checkRehearsedModel,
  openAgentAccount,
} from './check-accounts.ts';
import { createInteractivePerson } from './interactive-person.ts';
import { createCredentialPerson, type Person } from './person.ts';
import type { RehearsalConfig } from './rehearsal-config.ts';
import { type CreatedItems, findVendorPage, type WaitLimits } from './rehearsal-context.ts';
import type { RehearsalTexts } from './texts.en.ts';

/** Options that decide about the accounts of a rehearsal. */
export interface AccountOptions {
  /** Token of the account that plays the user; null to ask the user for each step. */
  readonly personToken: string | null;
  readonly texts: RehearsalTexts;
  readonly waitLimits: WaitLimits;
  readonly clock: RehearsalClock;
  readonly tell: (text: string) => void;
  /** Interrupts the checks; the clean-up follows. */
  readonly signal: AbortSignal;
}

/** Parts that the steps of a rehearsal share. */
export interface RehearsalParts {
  readonly options: AccountOptions;
  readonly config: RehearsalConfig;
  readonly results: CheckResults<RepositoryCheck>;
  readonly created: CreatedItems;
  readonly recorder: ReturnType<typeof openShapes>;
}

/** Accounts of a rehearsal. */
export interface RehearsalAccounts {
  readonly account: AgentAccount;
  readonly person: Person;
  /** What the server lacks, so that no run can work there, in words for the user; empty for a server that has everything. */
  readonly lacks: readonly string[];
}

/** Checks the accounts and the model. @returns null if no run can be started */
export async function openAccounts(
  parts: RehearsalParts,
  checks: AccountChecks,
): Promise<RehearsalAccounts | null> {
  const { options, results, config } = parts;
  const { texts } = options;
  const timed = async (name: 'access' | 'model', check: () => ReturnType<typeof checkAccess>) => {
    const beginAt = options.clock.now();
    const verdict = await check();
    options.signal.throwIfAborted();
    const fix = verdict.status === 'failed' ? (verdict.fix ?? texts.fixes[name]) : (verdict.fix ?? null);
    results.add(name, { ...verdict, fix }, options.clock.now() - beginAt);
  };
  const account = await openAgentAccount(checks).catch((error: Error) => {
    options.signal.throwIfAborted();
    results.add('access', { status: 'failed', text: error.message, fix: texts.fixes.access });
    return null;
  });
  if (account === null) return null;
  await timed('access', () => checkAccess(checks, account.login));
  await timed('model', () => checkRehearsedModel(checks));
  const person = await openPerson(parts, account);
  if (
    person === null ||
    results.list().some(({ name, status }) => (name === 'access' || name === 'model') && status === 'failed')
  )
    return null;
  const who = options.personToken === null ? texts.interactive : `@${person.login()}`;
  options.tell(texts.intro(config.repository, account.login, who));
  return { account, person, lacks: await findLacks(parts, account) };
}

/** Finds what the server lacks, so that no run can work there. */
async function findLacks(parts: RehearsalParts, { token }: AgentAccount): Promise<readonly string[]> {
  const { results, options } = parts;
  const lacks = results
    .list()
    .filter(({ name, status }) => name === 'access' && status === 'not-supported')
    .map(({ text }) => text);
  if (await openClient(parts, token).probe.listsComments()) return lacks;
  results.add('comment', { status: 'not-supported', text: options.texts.commentsNotListed });
  return [...lacks, options.texts.commentsNotListed];
}

async function openPerson(parts: RehearsalParts, account: AgentAccount): Promise<Person | null> {
  const { options, config, results } = parts;
  const { texts, personToken, clock, waitLimits, signal } = options;
  const fail = (text: string) => {
    const url = findVendorPage(config.platform, 'person');
    results.add('person', { status: 'failed', text, fix: texts.fixes.person, url });
    return null;
  };
  if (personToken === null) {
    results.add('person', { status: 'passed', text: texts.personInteractive });
    return createInteractivePerson({
      ...{ client: openClient(parts, account.token), agentLogin: account.login, texts, tell: options.tell },
      wait: { clock, patienceMs: waitLimits.modelMs, intervalMs: waitLimits.intervalMs, signal },
    });
  }
  const client = openClient(parts, async () => personToken);
  try {
    const { login } = await client.probe.whoAmI();
    if (login.toLowerCase() === account.login.toLowerCase()) return fail(texts.sameAccount(login));
    if (!(await client.probe.readAccess()).canWrite) return fail(texts.personCannotWrite(login));
    results.add('person', { status: 'passed', text: texts.personPassed(login) });
    return createCredentialPerson(client, login);
  } catch (error) {
    signal.throwIfAborted();
    return fail((error as Error).message);
  }
}

/** Opens the client of an account. `signal`: default that of the rehearsal. */
export function openClient(
  { config, recorder, options }: RehearsalParts,
  token: () => Promise<string>,
  signal: AbortSignal = options.signal,
): RepositoryClient {
  return createClient(config, { token, fetch: recorder.fetch, signal });
}

const create = { github: createGitHubClient, gitlab: createGitLabClient } as const;

/** Opens the client of one account in the repository of a rehearsal. */
function createClient(
  config: RehearsalConfig,
  options: Pick<RepositoryClientOptions, 'token' | 'fetch' | 'signal'>,
): RepositoryClient {
  const section = sectionOf(config);
  return create[config.platform]({
    ...{ ...options, baseUrl: section.base_url, repository: config.repository },
    timeoutMs: section.timeout_seconds * 1_000,
  });
}

function sectionOf({ loaded, platform }: RehearsalConfig) {
  const section = loaded.config.platforms[platform];
  if (section === null)
    throw new Error(`The configuration of a rehearsal has a section platforms.${platform}.`);
  return section;
}
