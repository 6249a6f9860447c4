import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, readlink, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { removeTree } from '../machine/directories.ts';
import type { Bubblewrap, SandboxObstacle, SandboxOptions } from './command-sandbox.ts';
import { showSystem } from './places.ts';
import { type BubblewrapOption, findExecutable, newerOptions } from './sandbox-arguments.ts';
import { spawnWrapped } from './spawn-wrapped.ts';
import { assembleSystemCallFilter } from './system-call-filter.ts';
import { enterSandbox, keyLists } from './wrap-command.ts';

const execute = promisify(execFile);

/** Finding of whether bubblewrap isolates commands here. */
export type SandboxProbe =
  | { readonly works: true; readonly sandbox: Bubblewrap }
  | {
      readonly works: false;
      readonly kind: Exclude<SandboxObstacle['kind'], 'root'>;
      readonly reason: string;
    };

/** Runs bubblewrap with the arguments that commands get, and checks from inside that it isolates them. */
export async function probeSandbox(options: SandboxOptions): Promise<SandboxProbe> {
  const { shown = [], hidden = [], path = process.env.PATH ?? '' } = options;
  const { nestedNamespaces = false, architecture = process.arch } = options;
  const { platform = process.platform } = options;
  if (platform !== 'linux')
    return {
      works: false,
      kind: 'other-system',
      reason: `bubblewrap runs on Linux only, and this is ${platform}`,
    };
  const bwrap = await findExecutable('bwrap', { path, worktree: '/nonexistent' });
  if (bwrap === null)
    return { works: false, kind: 'bubblewrap-missing', reason: 'bubblewrap (bwrap) is not installed' };
  const filter = assembleSystemCallFilter({ nestedNamespaces, architecture });
  if (filter === null) {
    const reason = `there is no filter of system calls for this processor (${architecture})`;
    return { works: false, kind: 'filter-refused', reason };
  }
  const system = await showSystem();
  const known = await listKnownOptions(bwrap);
  const sandbox = {
    ...({ kind: 'bubblewrap', path: bwrap, options: known, filter, nestedNamespaces } as const),
    ...{ system, shown, hidden },
  };
  const reason = await tryOut(sandbox, options);
  if (reason === null) return { works: true, sandbox };
  // Where bubblewrap is setuid, or root may not make user namespaces, it works without them.
  const withoutNamespaces = new Set([...known].filter((option) => option !== '--disable-userns'));
  const lesser = { ...sandbox, options: withoutNamespaces };
  if (known.has('--disable-userns') && (await tryOut(lesser, options)) === null) {
    return { works: true, sandbox: lesser };
  }
  return {
    works: false,
    kind: reason.includes('system call') ? 'filter-refused' : 'bubblewrap-blocked',
    reason,
  };
}

async function listKnownOptions(bwrap: string): Promise<ReadonlySet<BubblewrapOption>> {
  const help = await execute(bwrap, ['--help'], { timeout: 10_000, env: {} }).catch(() => ({ stdout: '' }));
  return new Set(newerOptions.filter((option) => help.stdout.includes(option)));
}

/** @returns why it does not work; null if it does */
async function tryOut(sandbox: Bubblewrap, { probeDirectory }: SandboxOptions): Promise<string | null> {
  const base = await realpath(await makeProbeDirectory(probeDirectory));
  try {
    await writeFile(join(base, 'secret'), 'seen');
    const [worktree, home] = [await mkdtemp(join(base, 'work-')), await mkdtemp(join(base, 'home-'))];
    const { system, options, nestedNamespaces } = sandbox;
    const view = {
      ...{ system, options, nestedNamespaces, worktree, home, directory: worktree },
      ...{ shown: [], hiddenDirectories: [], hiddenFiles: keyLists, gitDirectories: [], sockets: null },
    };
    const child = spawnWrapped(enterSandbox(['/bin/sh', '-c', probeScript], { sandbox, view }), {
      directory: worktree,
      environment: {
        ...{ PROBE: base, PATH: '/usr/bin:/bin', NESTED: nestedNamespaces ? 'yes' : '' },
        FILTERS: await countFilters(),
        NETWORK: await readlink('/proc/self/ns/net').catch(() => ''),
      },
      input: 'ignore',
      signal: AbortSignal.timeout(10_000),
    });
    const [output, errors] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    const [said = ''] = (output.trim() === '' ? errors : output).trim().split('\n');
    if (said === 'works') return null;
    return output.trim() === ''
      ? `bubblewrap does not work here (${said})`
      : `bubblewrap runs here but does not isolate commands (${said})`;
  } catch (error) {
    return `bubblewrap does not work here (${(error as Error).message})`;
  } finally {
    await rm(base, { recursive: true, force: true });
  }
}

/** Counts the filters of system calls that hold for this process already, as in a container; empty if the kernel does not tell. */
async function countFilters(): Promise<string> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  return /^Seccomp_filters:\s*(\d+)/m.exec(status)?.[1] ?? '';
}

/**
 * Tries what a command must be able to do, and what it must not. A setting of the kernel is written with the value that it has. Paths
 * are given by variables, because process 1 has the arguments in its command line.
 */
const probeScript = `
canWrite() { (echo "$2" > "$1") 2>/dev/null; }
fail() { echo "$1"; exit; }
echo in > file || fail 'the worktree cannot be written to'
if test -e "$PROBE/secret"; then fail 'a hidden file can be seen'; fi
if canWrite /etc/agent-probe x || canWrite /agent-probe x; then fail 'the system can be written to'; fi
for file in sys/kernel/randomize_va_space sys/vm/swappiness self/oom_score_adj; do
  if canWrite "/proc/$file" "$(cat "/proc/$file")"; then fail 'settings of the kernel can be written to'; fi
done
grep -q '^Seccomp:.2$' /proc/self/status || fail 'system calls are not filtered'
if test -n "$FILTERS" && grep -q "^Seccomp_filters:.$FILTERS$" /proc/self/status; then fail 'system calls are not filtered'; fi
if test -z "$NESTED" && unshare --user true 2>/dev/null; then fail 'user namespaces can be nested'; fi
if test -n "$(cat /proc/keys 2>/dev/null)"; then fail 'keys of the kernel can be listed'; fi
for file in /proc/$$/fd/*; do
  case "$file" in */[012]) continue;; esac
  if test -h "$file" && test "$(readlink "$file")" != /dev/null; then fail 'an open file of the daemon is inherited'; fi
done
if grep -qF "$PROBE" /proc/1/cmdline; then fail 'process 1 names paths of the machine'; fi
if test "$(readlink /proc/self/ns/net)" = "$NETWORK"; then fail 'the network of the machine is shared'; fi
echo works`;

async function makeProbeDirectory(path: string | undefined): Promise<string> {
  if (path === undefined) return mkdtemp(join(tmpdir(), 'agent-probe-'));
  await removeTree(path);
  await mkdir(path, { recursive: true, mode: 0o700 });
  return path;
}
