import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rmdir, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { RunDirectories } from '@agent/orchestrator';
import { checkConfiguredSigning, type SigningSettings } from '@agent/orchestrator/platforms';
import { ContextStoreError, type RunStorage } from '@agent/run-store';
import { findNetworkFailure } from '@agent/text';
import type { Redact } from '@agent/text/outgoing';
import type { Environment } from '@agent/workspace';
import { connectMcpServers, type ToolPins } from '@agent/workspace/mcp';
import { examineSandbox, type SandboxOptions } from '@agent/workspace/sandbox';
import { cleanLine } from '../text/terminal-text.ts';
import { type DoctorTools, reportOn } from './finding.ts';
import { adviseOnNetwork } from './network-advice.ts';

const run = promisify(execFile);

/** Settings that a machine must be able to fulfill. */
export interface MachineSettings {
  readonly directories: RunDirectories;
  readonly storage: Pick<RunStorage, 'health' | 'location' | 'members' | 'sharing'>;
  /** Section `tools.run_command`. */
  readonly runCommand: {
    readonly sandbox: SandboxOptions['mode'];
    readonly allow_root: boolean;
    readonly network: boolean;
    readonly nested_namespaces: boolean;
  };
  readonly http: { readonly host: string; readonly port: number | null };
  readonly environment: Environment;
  /** Variable with the address of the database. */
  readonly databaseVariable: string;
}

/** Checks that this machine has what runs need: git, a sandbox, and writable directories. */
export async function checkMachine(tools: DoctorTools, settings: MachineSettings): Promise<void> {
  await checkGit(tools, settings);
  await checkSandbox(tools, settings);
  await checkDirectories(tools, settings);
  if (settings.storage.sharing !== null) await checkDatabase(tools, settings);
  await checkPort(tools, settings);
}

async function checkGit({ texts, report }: DoctorTools, { environment }: MachineSettings): Promise<void> {
  const { PATH = '' } = environment;
  const git = reportOn('git', report);
  try {
    const { stdout } = await run('git', ['--version'], { env: { PATH }, timeout: 10_000 });
    const [version = '0', major = '0', minor = '0'] = /(?<!\d)(\d+)\.(\d+)[\d.]*/.exec(stdout) ?? [];
    const recent = Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 29);
    if (recent) git.ok(texts.gitOk(version));
    else git.failed(texts.gitOld(version), { fix: texts.fixGit });
  } catch {
    git.failed(texts.gitMissing, { fix: texts.fixGit });
  }
}

/** Checks how commands are isolated, and reports limits that are not exact. */
export async function checkSandbox(
  { texts, report }: Pick<DoctorTools, 'texts' | 'report'>,
  {
    runCommand,
    environment,
    userId,
    platform,
  }: Pick<MachineSettings, 'runCommand' | 'environment'> & Pick<SandboxOptions, 'userId' | 'platform'>,
): Promise<void> {
  const { sandbox: mode, allow_root: allowRoot, nested_namespaces: nestedNamespaces, network } = runCommand;
  const area = reportOn('sandbox', report);
  const path = environment.PATH;
  const { sandbox, obstacles } = await examineSandbox({
    mode,
    allowRoot,
    nestedNamespaces,
    path,
    userId,
    platform,
  });
  for (const { kind, problem } of obstacles) area.failed(problem, { fix: texts.fixSandbox[kind] });
  if (sandbox === null) return;
  if (sandbox.kind === 'bubblewrap') area.ok(texts.sandboxOk(network));
  else if (sandbox.mode === 'external') area.ok(texts.sandboxExternal);
  else area.warning(texts.sandboxOff, { fix: texts.fixSandboxOff });
}

async function checkDirectories(
  { texts, report }: DoctorTools,
  { directories: { contexts, paused, workspaces }, storage }: MachineSettings,
): Promise<void> {
  const area = reportOn('directories', report);
  const ofRuns = [
    { key: 'context_storage.base_dir', path: contexts },
    { key: 'pause_resume.paused_dir', path: paused },
  ];
  const places = [
    ...(storage.sharing === null ? ofRuns : []),
    { key: 'workspaces.base_dir', path: workspaces },
  ];
  for (const { key, path } of places) {
    try {
      await tryWriting(path);
      if (path === contexts) await storage.health.probe();
      area.ok(texts.directoryOk(key, path));
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const reason = ContextStoreError.isInstance(error) ? message : (code ?? message);
      const fix = texts.fixDirectory[toDirectoryFault(error)];
      area.failed(texts.directoryFailed(key, path, reason), { fix });
    }
  }
}

/** Codes of the system, by what helps against them. */
const directoryFaults = {
  permission: ['EACCES', 'EPERM', 'EROFS'],
  full: ['ENOSPC', 'EDQUOT'],
  file: ['ENOTDIR', 'EEXIST'],
} as const;

function toDirectoryFault(error: unknown): keyof typeof directoryFaults | 'other' {
  const code = findCode(error, /^E/);
  const found = Object.entries(directoryFaults).find(([, codes]) => codes.some((one) => one === code));
  return (found?.[0] as keyof typeof directoryFaults | undefined) ?? 'other';
}

/** Finds the first code of this form among an error and what caused it. */
function findCode(error: unknown, form: RegExp): string | null {
  for (let next = error; next instanceof Error; next = next.cause) {
    const { code } = next as { readonly code?: unknown };
    if (typeof code === 'string' && form.test(code)) return code;
  }
  return null;
}

const toleratedClockMs = 5_000;

/** Checks the database that stores the runs: version, permissions, clock, and latency. */
async function checkDatabase(
  tools: DoctorTools,
  { storage: { health, location }, databaseVariable }: MachineSettings,
): Promise<void> {
  const { texts, report, environment } = tools;
  const area = reportOn('storage.postgres', report);
  try {
    const facts = await health.probe();
    const [difference, latency] = [Number(facts.clock_difference_ms), Number(facts.latency_ms)];
    area.ok(texts.databaseOk(location, { version: String(facts.version), latency, difference }));
    if (facts.unencrypted === 1)
      area.warning(texts.databaseUnencrypted, { fix: texts.fixUnencrypted(databaseVariable) });
    // The time between request and response may have been spent in one direction.
    if (Math.abs(difference) > toleratedClockMs + latency)
      area.warning(texts.databaseClock(difference), { fix: texts.fixClock });
  } catch (error) {
    const url = environment[databaseVariable] ?? '';
    const fix =
      findNetworkFailure(error) === null
        ? texts.fixDatabase[toDatabaseFault(error)](databaseVariable)
        : adviseOnNetwork({ error, url, key: databaseVariable }, tools);
    area.failed(texts.databaseFailed(location, (error as Error).message), { fix });
  }
}

/** Tells faults apart by the codes of PostgreSQL. @see https://www.postgresql.org/docs/current/errcodes-appendix.html */
function toDatabaseFault(error: unknown): 'login' | 'missing' | 'rights' | 'other' {
  const code = findCode(error, /^[0-9A-Z]{5}$/) ?? '';
  if (code.startsWith('28')) return 'login';
  if (code === '3D000') return 'missing';
  return code === '42501' ? 'rights' : 'other';
}

/** Checks the port, unless it is used by a daemon that runs on the same storage. */
async function checkPort(
  { texts, report }: DoctorTools,
  { http: { port, host }, storage }: MachineSettings,
): Promise<void> {
  if (port === null || port === 0) return;
  const members = await storage.members.list();
  if (members.some((member) => storage.sharing === null || member.host === hostname())) return;
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const text = texts.portTaken(`${host}:${port}`, code ?? message);
    const fault = code === 'EACCES' ? 'forbidden' : code === 'EADDRINUSE' ? 'taken' : 'address';
    reportOn('http', report).failed(text, { fix: texts.fixPort[fault] });
  } finally {
    server.close();
  }
}

/** Creates and removes an empty directory there, or in the nearest parent that exists. */
async function tryWriting(path: string): Promise<void> {
  let place = path;
  while (!(await exists(place)) && dirname(place) !== place) place = dirname(place);
  await rmdir(await mkdtemp(join(place, '.doctor-')));
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
}

/** Signs something with the configured key. Reports nothing if commits are not signed. */
export async function checkSigning({ texts, report }: DoctorTools, settings: SigningSettings): Promise<void> {
  const area = reportOn('signing', report);
  try {
    const format = await checkConfiguredSigning(settings);
    if (format !== null) area.ok(texts.signingOk(format));
  } catch (error) {
    area.failed((error as Error).message, { fix: texts.fixSigning });
  }
}

interface McpSettings {
  readonly servers: Parameters<typeof connectMcpServers>[0];
  readonly environment: Environment;
  /** Directory of the configuration file. */
  readonly directory: string;
  readonly redact: Redact;
  readonly pins: ToolPins;
}

/** Starts every configured MCP server once, and stops it again. */
export async function checkMcpServers(tools: DoctorTools, settings: McpSettings): Promise<void> {
  const { texts, logger, signal } = tools;
  const { servers: configured, environment, directory, redact, pins } = settings;
  if (Object.keys(configured).length === 0) return;
  const report = reportOn('mcp', tools.report);
  const { servers, close } = await connectMcpServers(configured, {
    ...{ environment, directory, redact, pins, hideKnownSecrets: redact, logger, signal },
  });
  try {
    for (const { name, status, tools: count, missing, waiting, error, cause } of servers) {
      if (status === 'connected') report.ok(texts.serverOk(name, count));
      else
        report.failed(texts.serverUnusable(name, error ?? ''), {
          fix: adviseOnServer({ name, cause, config: configured[name] }, tools),
        });
      if (missing.length > 0)
        report.failed(texts.serverLacks(name, missing.join(', ')), { fix: texts.fixToolList(name) });
      for (const tool of waiting.map(cleanLine))
        report.warning(texts.toolWaits(tool), { fix: texts.fixWaitingTool(tool) });
    }
  } finally {
    await close();
  }
}

interface FailedServer {
  readonly name: string;
  readonly cause: unknown;
  readonly config: McpSettings['servers'][string] | undefined;
}

function adviseOnServer({ name, cause, config }: FailedServer, tools: DoctorTools): string {
  const { texts, environment } = tools;
  if (config === undefined) return texts.fixServer(name);
  if ('url' in config) {
    const { url, token_env: variable } = config;
    if (variable !== null && !environment[variable]?.trim()) return texts.fixServerToken;
    if (findNetworkFailure(cause) === null) return texts.fixServer(name);
    return adviseOnNetwork({ error: cause, url, key: `mcp_servers.${name}.url` }, tools);
  }
  return findCode(cause, /^ENOENT$/) === null ? texts.fixServer(name) : texts.fixServerProgram(name);
}
