import { listMissingRoles } from '@agent/platforms/custom';
import { connectCustom } from '../platforms/connect-custom.ts';
import { connectGitHub } from '../platforms/connect-github.ts';
import { connectGitLab } from '../platforms/connect-gitlab.ts';
import type { ConnectedPlatform } from '../platforms/connect-options.ts';
import { checkGitHubRepositories } from './check-github-repositories.ts';
import { checkGitLabProjects } from './check-gitlab-projects.ts';
import { type DoctorParts, type Mend, reportOn } from './finding.ts';
import { gitHubTokenPage, gitLabTokenPage } from './token-pages.ts';

/** Who we are on each platform, and what we may do in its repositories. */
export async function checkPlatforms(parts: DoctorParts): Promise<void> {
  const { github, gitlab, custom } = parts.loaded.config.platforms;
  if (github !== null) {
    const make = () => connectGitHub(github, toConnectOptions(parts));
    const tokenPage = gitHubTokenPage(github.base_url);
    const key = 'platforms.github.base_url';
    const connected = await connect(parts, { name: 'github', key, tokenPage, make });
    if (connected !== null) await checkGitHubRepositories(github, parts);
  }
  if (gitlab !== null) {
    const make = () => connectGitLab(gitlab, toConnectOptions(parts));
    const tokenPage = gitLabTokenPage(gitlab.base_url);
    const key = 'platforms.gitlab.base_url';
    const connected = await connect(parts, { name: 'gitlab', key, tokenPage, make });
    if (connected !== null) await checkGitLabProjects(gitlab, parts);
  }
  for (const [name, config] of Object.entries(custom)) {
    const make = () => connectCustom({ name, config }, toConnectOptions(parts));
    const connected = await connect(parts, { name, key: `platforms.${name}`, tokenPage: null, make });
    if (connected === null) continue;
    reportMissingRoles(parts, { name, connected });
    await checkTasks(parts, { name, connected });
  }
}

interface Connection {
  readonly name: string;
  /** Key of the configuration that says where the platform is. */
  readonly key: string;
  /** Where tokens are made; null where nobody knows. */
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
    report.failed((error as Error).message, mendConnection(parts, { connection, error }));
    return null;
  }
}

function mendConnection(
  { texts }: DoctorParts,
  {
    connection,
    error,
  }: { readonly connection: Pick<Connection, 'key' | 'tokenPage'>; readonly error: unknown },
): Mend {
  const { key, tokenPage } = connection;
  const { code } = error as { code?: unknown };
  if (code === 'unavailable' || code === 'not-found') return { mend: texts.mendAddress(key) };
  if (code === 'rate-limited') return { mend: texts.mendLater };
  return tokenPage === null ? { mend: texts.mendAdapter } : { mend: texts.mendToken, url: tokenPage };
}

function reportMissingRoles(
  { texts, report }: DoctorParts,
  { name, connected }: { readonly name: string; readonly connected: ConnectedPlatform },
): void {
  const missing = listMissingRoles(connected.platform);
  if (missing === null || missing.length === 0) return;
  reportOn(name, report).warning(texts.rolesOff(missing.join(', ')), { mend: texts.mendRoles });
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
      report.failed(error.message, mendConnection(parts, { connection, error }));
    }
    report.ok(texts.tasksListed(tasks.length));
  } catch (error) {
    report.failed((error as Error).message, mendConnection(parts, { connection, error }));
  }
}

function toConnectOptions({ loaded, logger, signal }: DoctorParts) {
  return { loaded, logger, signal, observe: () => {} };
}
