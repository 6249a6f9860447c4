import { listMissingRoles } from '@agent/platforms/custom';
import { readSecret } from '../config/read-secret.ts';
import { connectCustom } from '../platforms/connect-custom.ts';
import type { ConnectedPlatform } from '../platforms/connect-options.ts';
import { toConnectOptions as toOptions } from '../platforms/connect-platforms.ts';
import { listNamedPlatforms, type NamedPlatform } from '../platforms/table.ts';
import type { DoctorParts } from './doctor-parts.ts';
import { type Remedy, reportOn } from './finding.ts';
import { createProbe } from './repository-probe.ts';

/** Reports who we are on each platform, and what we may do in its repositories. */
export async function checkPlatforms(parts: DoctorParts): Promise<void> {
  const { platforms } = parts.loaded.config;
  const options = toConnectOptions(parts);
  for (const named of listNamedPlatforms(platforms)) {
    const { name, section, entry } = named;
    const make = () => entry.connect(section, options);
    const tokenPage = entry.doctor.tokenPage(section.base_url);
    const connected = await connect(parts, { name, key: `platforms.${name}.base_url`, tokenPage, make });
    if (connected !== null) await checkPlaces(parts, named);
  }
  for (const [name, config] of Object.entries(platforms.custom)) {
    const make = () => connectCustom({ name, config }, options);
    const connected = await connect(parts, { name, key: `platforms.${name}`, tokenPage: null, make });
    if (connected === null) continue;
    reportMissingRoles(parts, { name, connected });
    await checkTasks(parts, { name, connected });
  }
}

/** Reports what the token may do in each place, found out without changing anything. */
async function checkPlaces(parts: DoctorParts, { name, section, entry }: NamedPlatform): Promise<void> {
  const { fetch, signal, texts } = parts;
  const { environment } = parts.loaded;
  const token = readSecret(environment, { name: section.token_env, purpose: `the token of ${name}` });
  const { base, headers, username } = entry.doctor.api(section, token);
  const report = reportOn(name, parts.report);
  for (const path of entry.listPlaces(section)) {
    const probe = createProbe(path, {
      base,
      headers,
      gitCredentials: { username, token },
      environment,
      tokenPage: entry.doctor.tokenPage(section.base_url),
      timeoutMs: section.timeout_seconds * 1_000,
      report,
      texts,
      fetch,
      signal,
    });
    await entry.doctor.check(probe, section).catch((error: Error) =>
      report.failed(texts.notAsked(path, error.message), {
        fix: texts.fixAddress(`platforms.${name}.base_url`),
      }),
    );
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

async function connect(parts: DoctorParts, connection: Connection): Promise<ConnectedPlatform | null> {
  const { texts, signal } = parts;
  const report = reportOn(connection.name, parts.report);
  try {
    const connected = await connection.make();
    const { login } = await connected.platform.identity.whoAmI({ signal });
    report.ok(texts.connected(connected.platform.host, login));
    return connected;
  } catch (error) {
    report.failed((error as Error).message, fixConnection(parts, { connection, error }));
    return null;
  }
}

function fixConnection(
  { texts }: DoctorParts,
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
  { texts, report }: DoctorParts,
  { name, connected }: { readonly name: string; readonly connected: ConnectedPlatform },
): void {
  const missing = listMissingRoles(connected.platform);
  if (missing === null || missing.length === 0) return;
  reportOn(name, report).warning(texts.rolesOff(missing.join(', ')), { fix: texts.fixRoles });
}

/** Asks once for the tasks that wait, as a run does first: an answer that does not fit shows here. */
async function checkTasks(
  parts: DoctorParts,
  { name, connected }: { readonly name: string; readonly connected: ConnectedPlatform },
): Promise<void> {
  const { texts, signal } = parts;
  const report = reportOn(name, parts.report);
  const { trigger } = connected;
  const connection = { key: `platforms.${name}`, tokenPage: null };
  try {
    const { tasks, failures } = await trigger.listWaiting({ signal });
    for (const { error } of failures) {
      report.failed(error.message, fixConnection(parts, { connection, error }));
    }
    report.ok(texts.tasksListed(tasks.length));
  } catch (error) {
    report.failed((error as Error).message, fixConnection(parts, { connection, error }));
  }
}

function toConnectOptions({ loaded, logger, signal }: DoctorParts) {
  return toOptions({ loaded, logger, signal, observe: () => {} });
}
