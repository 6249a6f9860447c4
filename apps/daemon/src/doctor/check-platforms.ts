import {
  type ConnectedPlatform,
  connectCustom,
  listNamedPlatforms,
  type NamedPlatform,
  type PlatformSettings,
  pickPlace,
  type TriggerName,
  toConnectOptions,
} from '@agent/orchestrator/platforms';
import type { OpenedCredential } from '@agent/platforms/credentials';
import { listMissingRoles } from '@agent/platforms/custom';
import type { CredentialFinding } from '@agent/platforms/examination';
import { checkPlaces, findPlaces, type Place } from './check-places.ts';
import { type DoctorTools, type Remedy, reportOn, type Statement, state } from './finding.ts';

/** Platforms, and which of them have their webhooks received; default none. */
export interface ExaminedPlatforms extends PlatformSettings {
  readonly heard?: readonly string[] | undefined;
}

/** Reports who we are on each platform, and what we may do in its repositories. */
export async function checkPlatforms(tools: DoctorTools, settings: ExaminedPlatforms): Promise<void> {
  const { sections, environment, heard = [] } = settings;
  const { logger, signal } = tools;
  const options = toConnectOptions(settings, { logger, signal, observe: () => {} });
  for (const named of listNamedPlatforms(sections)) {
    const { name, section, entry } = named;
    const make = () => entry.connect(section, options);
    const tokenPage = await entry.examination.findTokenPage(section.base_url);
    const connected = await connect(tools, { name, key: `platforms.${name}.base_url`, tokenPage, make });
    if (connected === null) continue;
    const { login } = await connected.platform.identity.whoAmI({ signal });
    const { credential, app } = await entry.openCredential(section, options);
    const { value: token } = await credential.token({ signal });
    await checkCredential(tools, { ...named, tokenPage, token, app, hearsWebhooks: heard.includes(name) });
    const places = await findPlaces(tools, { ...named, connected });
    await checkPlaces(tools, { ...named, places, environment, login, tokenPage, token });
  }
  for (const [name, config] of Object.entries(sections.custom)) {
    const make = () => connectCustom({ name, config }, options);
    const connected = await connect(tools, { name, key: `platforms.${name}`, tokenPage: null, make });
    if (connected === null) continue;
    reportMissingRoles(tools, { name, connected });
    await checkTasks(tools, { name, connected, trigger: config.trigger });
  }
}

interface ExaminedCredential extends NamedPlatform, Pick<OpenedCredential, 'app'> {
  readonly tokenPage: string;
  readonly token: string;
  readonly hearsWebhooks: boolean;
}

/** Reports what the credential itself lacks. */
async function checkCredential(
  tools: DoctorTools,
  { name, section, entry, tokenPage, token, app, hearsWebhooks }: ExaminedCredential,
): Promise<void> {
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
    report.failed((error as Error).message, { fix: texts.fixAddress(`platforms.${name}.base_url`) });
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
    case 'app-not-assignable':
      return state.failed(texts.appNotAssignable(found.slug), { fix: texts.fixAppTrigger });
  }
}

interface Connection {
  readonly name: string;
  /** Key of the configuration that says where the platform is. */
  readonly key: string;
  /** Page on which tokens are made; null where none is known. */
  readonly tokenPage: string | null;
  readonly make: () => Promise<ConnectedPlatform>;
}

async function connect(tools: DoctorTools, connection: Connection): Promise<ConnectedPlatform | null> {
  const { texts, signal } = tools;
  const report = reportOn(connection.name, tools.report);
  try {
    const connected = await connection.make();
    const { login } = await connected.platform.identity.whoAmI({ signal });
    report.ok(texts.connected(connected.platform.host, login));
    return connected;
  } catch (error) {
    report.failed((error as Error).message, fixConnection(tools, { connection, error }));
    return null;
  }
}

function fixConnection(
  { texts }: DoctorTools,
  {
    connection,
    error,
  }: { readonly connection: Pick<Connection, 'key' | 'tokenPage'>; readonly error: unknown },
): Remedy {
  const { key, tokenPage } = connection;
  const { code } = error as { code?: unknown };
  if (code === 'unavailable' || code === 'not-found') return { fix: texts.fixAddress(key) };
  if (code === 'rate-limited') return { fix: texts.fixLater };
  return tokenPage === null ? { fix: texts.fixAdapter } : { fix: texts.fixToken, url: tokenPage };
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
 * Asks once for the tasks that wait, as a run does first: an answer that does not fit shows here. For mentions it asks for the
 * open threads alone: to read who is mentioned there would begin to keep what was handled.
 */
async function checkTasks(
  tools: DoctorTools,
  {
    name,
    connected,
    trigger,
  }: { readonly name: string; readonly connected: ConnectedPlatform; readonly trigger: TriggerName },
): Promise<void> {
  const { texts, signal } = tools;
  const report = reportOn(name, tools.report);
  const connection = { key: `platforms.${name}`, tokenPage: null };
  const open = { label: null, assignee: null, state: 'open', signal } as const;
  const isMention = trigger === 'mention';
  try {
    const { platform, trigger: given } = connected;
    const { tasks, failures } = await (isMention
      ? platform.tasks.listTasks(open)
      : given.listWaiting({ signal }));
    for (const { error } of failures) {
      report.failed(error.message, fixConnection(tools, { connection, error }));
    }
    report.ok(isMention ? texts.threadsListed(tasks.length) : texts.tasksListed(tasks.length));
  } catch (error) {
    report.failed((error as Error).message, fixConnection(tools, { connection, error }));
  }
}
