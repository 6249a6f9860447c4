import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, open, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findSandbox, sandboxed } from '../testing/workspace-bed.ts';
import { createCommandPlace } from '../tools/command-place.ts';
import { type CommandSandbox, chooseSandbox } from './sandbox.ts';

const bubblewrap = await findSandbox();
const python = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : null;
let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'calls-')));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Makes the system calls, and prints how each ended. */
const script = `
import ctypes, errno, json, mmap, os, platform
libc = ctypes.CDLL(None, use_errno=True)
is_x64 = platform.machine() == 'x86_64'
def call(x64, arm64, *args):
    ctypes.set_errno(0)
    result = libc.syscall(x64 if is_x64 else arm64, *args)
    return 'done' if result >= 0 else errno.errorcode[ctypes.get_errno()]
def apart(work):
    child = os.fork()
    if child == 0:
        work()
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 'done'
def thirty_two_bits():
    code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(b'\\xb8\\x14\\x00\\x00\\x00\\xcd\\x80\\xc3')  # mov eax, 20 (getpid); int 0x80; ret
    ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()
new_user = 0x10000000
seen = {
    'keyctl': call(250, 219, 0, -3, 1),
    'add_key': call(248, 217, b'user', b'agent', b'x', 1, -3),
    'request_key': call(249, 218, b'user', b'agent', None, 0),
    'vsock': call(41, 198, 40, 1, 0),
    'inet': call(41, 198, 2, 1, 0),
    'io_uring': call(425, 425, 1, None),
    'userfaultfd': call(323, 282, 1),
    'perf': call(298, 241, None, 0, -1, -1, 0),
    'unshare': call(272, 97, new_user),
    'clone3': call(435, 435, None, 0),
}
if is_x64:
    seen['i386'] = apart(thirty_two_bits)
    seen['x32'] = apart(lambda: libc.syscall(0x40000000 | 39))
print(json.dumps(seen))`;

async function makeCalls(sandbox: CommandSandbox): Promise<unknown> {
  const place = createCommandPlace({ workspacePath: root, homesDirectory: root, sandbox });
  const { output } = await place.run({
    command: [python ?? '', '-c', script],
    ...{ timeoutMs: 20_000, maxOutputBytes: 4_096 },
  });
  await place.close();
  return JSON.parse(output);
}

/** Without a sandbox, nothing is shown, and the only reason for it is that bubblewrap is not installed. */
async function expectMissing(): Promise<void> {
  await expect(chooseSandbox({ mode: 'required', allowRoot: true })).rejects.toThrow('install bubblewrap');
}

const name = (text: string) =>
  python === null ? `NOT SHOWN HERE, python3 is not installed: ${text}` : sandboxed(text, bubblewrap);

it(
  name('a command in the sandbox cannot use keyrings, vsock, io_uring, other ABIs or user namespaces'),
  async () => {
    if (python === null) return;
    if (bubblewrap === null) return expectMissing();
    const refused = {
      keyctl: 'EPERM',
      add_key: 'EPERM',
      request_key: 'EPERM',
      vsock: 'EPERM',
      perf: 'EPERM',
    };
    const sigsys = 31;
    expect(await makeCalls(bubblewrap)).toEqual({
      ...refused,
      ...{ userfaultfd: 'EPERM', io_uring: 'ENOSYS', unshare: 'EPERM', clone3: 'ENOSYS', inet: 'done' },
      ...(process.arch === 'x64' ? { i386: sigsys, x32: sigsys } : {}),
    });
    const nested = await chooseSandbox({ mode: 'required', allowRoot: true, nestedNamespaces: true });
    expect(await makeCalls(nested)).toMatchObject({ ...refused, unshare: 'done' });
  },
);

it(
  sandboxed(
    'a command inherits no open file of the daemon, and process 1 names none of its paths',
    bubblewrap,
  ),
  async () => {
    if (bubblewrap === null) return expectMissing();
    await writeFile(join(root, 'secret'), 'inherited');
    const file = await open(join(root, 'secret'));
    const places = JSON.stringify(new URL('../tools/command-place.ts', import.meta.url).href);
    const choices = JSON.stringify(new URL('./sandbox.ts', import.meta.url).href);
    const inside = `const fs = require('fs');
      const open = ['1', 'self'].flatMap((id) => { try { return fs.readdirSync('/proc/' + id + '/fd')
        .map((fd) => { try { return fs.readlinkSync('/proc/' + id + '/fd/' + fd); } catch { return ''; } }); } catch { return []; } });
      console.log(open.some((path) => path.endsWith('/secret')), fs.readFileSync('/proc/1/cmdline', 'utf8').includes(process.cwd()));`;
    const daemon = `
      const { createCommandPlace } = await import(${places});
      const { chooseSandbox } = await import(${choices});
      for (const mode of ['required', 'off']) {
        const sandbox = await chooseSandbox({ mode, allowRoot: true });
        const place = createCommandPlace({ workspacePath: '${root}', homesDirectory: '${root}', sandbox });
        const command = [process.execPath, '-e', ${JSON.stringify(inside)}];
        console.log((await place.run({ command, timeoutMs: 20_000, maxOutputBytes: 4_096 })).output.trim());
        await place.close();
      }`;
    const stdio: ('ignore' | 'pipe' | number)[] = ['ignore', 'pipe', 'pipe'];
    while (stdio.length < 40) stdio.push('ignore');
    const child = spawn(
      process.execPath,
      ['--conditions=@agent/source', '--input-type=module', '-e', daemon],
      { stdio: [...stdio, file.fd] },
    );
    if (child.stdout === null || child.stderr === null) throw new Error('no output');
    const [said, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    await file.close();
    expect(errors).toBe('');
    expect(said).toBe('false false\nfalse false\n');
  },
);
