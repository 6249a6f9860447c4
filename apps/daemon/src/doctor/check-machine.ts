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
import type { Redact } from '@agent/text/outgoing';
import type { Environment } from '@agent/workspace';
import { connectMcpServers } from '@agent/workspace/mcp';
import { examineSandbox, type SandboxOptions } from '@agent/workspace/sandbox';
import { type DoctorTools, reportOn } from './finding.ts';

const run = promisify(execFile);

/** The settings that a machine has to suit. */
export interface MachineSettings {
  readonly directories: RunDirectories;
  readonly storage: Pick<RunStorage, 'health' | 'location' | 'members' | 'sharing'>;
  /** Section `tools.run_command`. */
  readonly runCommand: {
    readonly sandbox: SandboxOptions['mode'];
    readonly allow_root: boolean;
    readonly network: boolean;
  };
  readonly http: { readonly host: string; readonly port: number | null };
  readonly environment: Environment;
}

/** Checks that this machine has what runs need: git, a sandbox, directories to write to. */
export async function checkMachine(tools: DoctorTools, settings: MachineSettings): Promise<void> {
  await checkGit(tools, settings);
  await checkSandbox(tools, settings);
  await checkDirectories(tools, settings);
  if (settings.storage.sharing !== null) await checkDatabase(tools, settings.storage);
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

/** Checks how commands are kept in, and says what holds them only roughly. */
export async function checkSandbox(
  { texts, report }: Pick<DoctorTools, 'texts' | 'report'>,
  { runCommand, environment }: Pick<MachineSettings, 'runCommand' | 'environment'>,
): Promise<void> {
  const { sandbox: mode, allow_root: allowRoot, network } = runCommand;
  const area = reportOn('sandbox', report);
  const fixes = { root: texts.fixRoot, bubblewrap: texts.fixSandbox };
  const { sandbox, obstacles } = await examineSandbox({ mode, allowRoot, network, path: environment.PATH });
  for (const { kind, message } of obstacles) area.failed(message, { fix: fixes[kind] });
  if (sandbox === null) return;
  if (sandbox.kind === 'bubblewrap') area.ok(texts.sandboxOk(network));
  else if (sandbox.mode === 'external') area.ok(texts.sandboxExternal);
  else area.warning(texts.sandboxOff, { fix: texts.fixSandbox });
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
      area.failed(texts.directoryFailed(key, path, reason), { fix: texts.fixDirectory });
    }
  }
}

const toleratedClockMs = 5_000;

/** Checks the server that keeps the runs: its version and the rights there, its clock and how far away it is. */
async function checkDatabase(
  { texts, report }: DoctorTools,
  { health, location }: MachineSettings['storage'],
): Promise<void> {
  const area = reportOn('storage.postgres', report);
  try {
    const facts = await health.probe();
    const [difference, latency] = [Number(facts.clock_difference_ms), Number(facts.latency_ms)];
    area.ok(texts.databaseOk(location, { version: String(facts.version), latency, difference }));
    // What lies between the question and the answer may be all on one way.
    if (Math.abs(difference) > toleratedClockMs + latency)
      area.warning(texts.databaseClock(difference), { fix: texts.fixClock });
  } catch (error) {
    area.failed(texts.databaseFailed(location, (error as Error).message), { fix: texts.fixDatabase });
  }
}

/** A daemon that works here has the port already. */
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
    const address = `${host}:${port}`;
    reportOn('http', report).failed(texts.portTaken(address, code ?? message), { fix: texts.fixPort });
  } finally {
    server.close();
  }
}

/** Makes and removes an empty directory there, or in the nearest one above that exists. */
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

/** Signs something with the key of the configuration; where commits are not signed, there is nothing to say. */
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
}

/** Starts every configured MCP server once, and ends it again. */
export async function checkMcpServers(tools: DoctorTools, settings: McpSettings): Promise<void> {
  const { texts, logger, signal } = tools;
  const { servers: configured, ...options } = settings;
  if (Object.keys(configured).length === 0) return;
  const report = reportOn('mcp', tools.report);
  const { servers, close } = await connectMcpServers(configured, {
    ...{ ...options, hideKnownSecrets: options.redact, logger, signal },
  });
  try {
    for (const { name, status, tools, missing, error } of servers) {
      if (status === 'connected') report.ok(texts.serverOk(name, tools));
      else report.failed(texts.serverFailed(name, error ?? ''), { fix: texts.fixServer(name) });
      if (missing.length > 0)
        report.failed(texts.serverLacks(name, missing.join(', ')), { fix: texts.fixToolList(name) });
    }
  } finally {
    await close();
  }
}
