import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rmdir, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { chooseSandbox } from '@agent/workspace/sandbox';
import { readOwner } from '../cli/read-owner.ts';
import { toRunDirectories } from '../config/run-directories.ts';
import type { DoctorParts } from './doctor-parts.ts';
import { reportOn } from './finding.ts';

const run = promisify(execFile);

/** Checks that this machine has what runs need: git, a sandbox, directories to write to. */
export async function checkMachine(parts: DoctorParts): Promise<void> {
  await checkGit(parts);
  await checkSandbox(parts);
  await checkDirectories(parts);
  await checkPort(parts);
}

async function checkGit({ texts, report, loaded }: DoctorParts): Promise<void> {
  const { PATH = '' } = loaded.environment;
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

async function checkSandbox({ texts, report, loaded }: DoctorParts): Promise<void> {
  const { sandbox: mode, allow_root: allowRoot, network } = loaded.config.tools.run_command;
  const area = reportOn('sandbox', report);
  try {
    const sandbox = await chooseSandbox({ mode, allowRoot, network, path: loaded.environment.PATH });
    if (sandbox.kind === 'bubblewrap') area.ok(texts.sandboxOk(network));
    else if (sandbox.mode === 'external') area.ok(texts.sandboxExternal);
    else area.warning(texts.sandboxOff, { fix: texts.fixSandbox });
  } catch (error) {
    area.failed((error as Error).message, { fix: texts.fixSandbox });
  }
}

async function checkDirectories({ texts, report, loaded }: DoctorParts): Promise<void> {
  const { contexts, paused } = toRunDirectories(loaded);
  const area = reportOn('directories', report);
  const places = [
    { key: 'context_storage.base_dir', path: contexts },
    { key: 'pause_resume.paused_dir', path: paused },
    { key: 'workspaces.base_dir', path: resolve(loaded.directory, loaded.config.workspaces.base_dir) },
  ];
  for (const { key, path } of places) {
    try {
      await tryWriting(path);
      area.ok(texts.directoryOk(key, path));
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      area.failed(texts.directoryFailed(key, path, code ?? message), { fix: texts.fixDirectory });
    }
  }
}

/** A daemon that works in this directory has the port already. */
async function checkPort({ texts, report, loaded, now }: DoctorParts): Promise<void> {
  const { port, host } = loaded.config.http;
  if (port === null || port === 0) return;
  if ((await readOwner(toRunDirectories(loaded).contexts, { now: now() })) !== null) return;
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
