import { ConfigError } from '@agent/orchestrator/config';
import {
  type ConnectedPlatform,
  connectCustom,
  createTrustBook,
  listNamedPlatforms,
  type NamedPlatform,
  type PlatformSettings,
  pickPlace,
  type TriggerName,
  type TrustSetting,
  toConnectOptions,
  toRequestBudgets,
} from '@agent/orchestrator/platforms';
import type { Platform } from '@agent/platforms';
import type { OpenedCredential } from '@agent/platforms/credentials';
import { listMissingRoles } from '@agent/platforms/custom';
import type { CredentialFinding } from '@agent/platforms/examination';
import { checkPlaces, findPlaces, type Place } from './check-places.ts';
import { type DoctorTools, type Remedy, reportOn, type Statement, state } from './finding.ts';
import { adviseOnAdapter, adviseOnPlatform } from './platform-advice.ts';

/** Platforms, and the names of those whose webhooks the daemon receives; default none. */
export interface ExaminedPlatforms extends PlatformSettings {
  readonly heard?: readonly string[] | undefined;
  /** Setting `branch_prefix`. */
  readonly branchPrefix: string;
}

/** Reports the account on each platform, and what it can do in its repositories. */
export async function checkPlatforms(tools: DoctorTools, settings: ExaminedPlatforms): Promise<void> {
  const { sections, environment, branchPrefix, heard = [] } = settings;
  const { logger, signal } = tools;
  const options = toConnectOptions(settings, { logger, signal, observe: () => {} });
  const reached: Platform[] = [];
  let isComplete = true;
  for (const named of listNamedPlatforms(sections)) {
    const { name, section, entry } = named;
    const make = () => entry.connect(section, options);
    const tokenPage = await entry.examination.findTokenPage(section.base_url);
    const platform = { ...named, tokenPage };
    const advise = (error: unknown) => adviseOnPlatform(error, platform, tools);
    const connected = await connect(tools, { name, make, advise });
    if (connected === null) {
      isComplete = false;
      continue;
    }
    reached.push(connected.platform);
    const { login } = await connected.platform.identity.whoAmI({ signal });
    const { credential, app } = await entry.openCredential(section, options);
    const { value: token } = await credential.token({ signal });
    await checkCredential(tools, { ...platform, token, app, hearsWebhooks: heard.includes(name) });
    const { contentsPerHour: contents, ...budgets } = toRequestBudgets(
      section.request_budgets,
      section.base_url,
    );
    reportOn(name, tools.report).ok(tools.texts.requestBudgets({ ...budgets, contents }));
    const places = await findPlaces(tools, { ...named, connected });
    await checkPlaces(tools, { ...platform, places, environment, login, token, branchPrefix });
  }
  for (const [name, config] of Object.entries(sections.custom)) {
    const make = () => connectCustom({ name, config }, options);
    const advise = (error: unknown) => adviseOnAdapter(error, `platforms.${name}`, tools);
    const connected = await connect(tools, { name, make, advise });
    if (connected === null) {
      isComplete = false;
      continue;
    }
    reached.push(connected.platform);
    reportMissingRoles(tools, { name, connected });
    if (tools.readsOnly !== true)
      await checkTasks(tools, { name, connected, trigger: config.trigger, advise });
  }
  // A name that is not found may be on a platform that could not be asked.
  if (isComplete) await checkTrust(tools, { trust: settings.trust, platforms: reached });
}

/** Looks up the accounts that `trust` names, as a run does at its start. */
async function checkTrust(
  { texts, report: tell, signal }: DoctorTools,
  { trust, platforms }: { readonly trust: TrustSetting; readonly platforms: readonly Platform[] },
): Promise<void> {
  if (typeof trust === 'string') return;
  const report = reportOn('trust', tell);
  try {
    await createTrustBook().open(trust, { platforms, signal });
    report.ok(texts.trusted(trust.join(', ')));
  } catch (error) {
    report.failed((error as Error).message, { fix: texts.fixTrust });
  }
}

interface ExaminedCredential extends NamedPlatform, Pick<OpenedCredential, 'app'> {
  readonly tokenPage: string;
  readonly token: string;
  readonly hearsWebhooks: boolean;
}

/** Reports what the credential itself lacks. */
async function checkCredential(tools: DoctorTools, examined: ExaminedCredential): Promise<void> {
  const { name, section, entry, tokenPage, token, app, hearsWebhooks } = examined;
  const { fetch, signal, now, texts } = tools;
  const report = reportOn(name, tools.report);
  const { base_url: baseUrl, trigger, timeout_seconds: seconds } = section;
  const place = pickPlace(entry.listPlaces(section));
  try {
    const found = await entry.examination.examineCredential({
      ...{ baseUrl, token, app, place, trigger, hearsWebhooks, fetch, signal, now },
      timeoutMs: seconds * 1_000,
    });
    for (const finding of found) report.tell(describeCredential(finding, { texts, tokenPage }));
  } catch (error) {
    report.failed((error as Error).message, adviseOnPlatform(error, examined, tools));
  }
}

function describeCredential(
  found: CredentialFinding,
  { texts, tokenPage }: Pick<Place, 'texts' | 'tokenPage'>,
): Statement {
  switch (found.kind) {
    case 'app':
      return state.ok(texts.asApp(found.slug));
    case 'permission-missing':
    case 'event-missing': {
      const { name, url, isRequired } = found;
      const text = texts.appLacks[found.kind](name, texts.purposes[found.purpose]);
      const isPending = found.kind === 'permission-missing' && found.isPending;
      const remedy = { fix: isPending ? texts.fixPending : texts.fixApp, url };
      return isRequired ? state.failed(text, remedy) : state.warning(text, remedy);
    }
    case 'token-ends':
      return found.isSoon
        ? state.warning(texts.tokenEnds(found.at), { fix: texts.fixTokenEnd, url: tokenPage })
        : state.ok(texts.tokenEnds(found.at));
    case 'graphql-missing':
      return state.failed(texts.graphqlMissing(found.status), { fix: texts.fixGraphql });
    case 'app-not-assignable':
      return state.failed(texts.appNotAssignable(found.slug), { fix: texts.fixAppTrigger });
  }
}

interface Connection {
  readonly name: string;
  readonly make: () => Promise<ConnectedPlatform>;
  /** Says what to do about an error of this platform. */
  readonly advise: (error: unknown) => Remedy;
}

async function connect(
  { texts, signal, report: tell }: DoctorTools,
  { name, make, advise }: Connection,
): Promise<ConnectedPlatform | null> {
  const report = reportOn(name, tell);
  try {
    const connected = await make();
    const { login } = await connected.platform.identity.whoAmI({ signal });
    report.ok(texts.connected(connected.platform.host, login));
    return connected;
  } catch (error) {
    const text = error instanceof ConfigError ? error.problem : (error as Error).message;
    report.failed(text, advise(error));
    return null;
  }
}

function reportMissingRoles(
  { texts, report }: DoctorTools,
  { name, connected }: { readonly name: string; readonly connected: ConnectedPlatform },
): void {
  const missing = listMissingRoles(connected.platform);
  if (missing === null || missing.length === 0) return;
  reportOn(name, report).warning(texts.rolesOff(missing), { fix: texts.fixRoles });
}

/**
 * Lists the waiting tasks once, as a run does first, to find answers that do not fit. For mentions it only lists the open threads:
 * reading who is mentioned there would start to record what was handled.
 */
async function checkTasks(
  tools: DoctorTools,
  {
    name,
    connected,
    trigger,
    advise,
  }: Pick<Connection, 'name' | 'advise'> & {
    readonly connected: ConnectedPlatform;
    readonly trigger: TriggerName;
  },
): Promise<void> {
  const { texts, signal } = tools;
  const report = reportOn(name, tools.report);
  const open = { label: null, assignee: null, state: 'open', signal } as const;
  const isMention = trigger === 'mention';
  try {
    const { platform, trigger: given } = connected;
    const { tasks, failures } = await (isMention
      ? platform.tasks.listTasks(open)
      : given.listWaiting({ signal }));
    for (const { error } of failures) report.failed(error.message, advise(error));
    report.ok(isMention ? texts.threadsListed(tasks.length) : texts.tasksListed(tasks.length));
  } catch (error) {
    report.failed((error as Error).message, advise(error));
  }
}
