import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import filters from '../../test/libseccomp-filters.json' with { type: 'json' };
import { assembleSystemCallFilter } from './system-call-filter.ts';

interface Call {
  readonly number: number;
  readonly architecture: number;
  /** First argument. */
  readonly argument: bigint;
}

/** Runs a filter of classic BPF as the kernel does: only the instructions that filters here have. */
function decide(filter: Uint8Array, { number, architecture, argument }: Call): number {
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, number, true);
  data.setUint32(4, architecture, true);
  data.setBigUint64(16, argument, true);
  const program = new DataView(filter.buffer, filter.byteOffset, filter.byteLength);
  let value = 0;
  for (let at = 0; at < filter.byteLength; at += 8) {
    const operand = program.getUint32(at + 4, true);
    const jump = (isTrue: boolean) => 8 * program.getUint8(at + (isTrue ? 2 : 3));
    const code = program.getUint16(at, true);
    if (code === 0x20) value = data.getUint32(operand, true);
    else if (code === 0x54) value = (value & operand) >>> 0;
    else if (code === 0x15) at += jump(value === operand);
    else if (code === 0x35) at += jump(value >= operand);
    else if (code === 0x06) return operand;
    else throw new Error(`unknown instruction 0x${code.toString(16)}`);
  }
  throw new Error('the filter does not end');
}

const architectures = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;
const i386 = 0x40000003;
const newUserNamespace = 0x10000000;
const argumentsTried = [
  ...[0n, 1n, 2n, 39n, 40n, 41n, 0x1_0000_0028n, 0x28_0000_0000n, 0xffff_ffff_0000_0028n],
  ...[BigInt(newUserNamespace), 0x10000011n, 0x7c020000n, 0x1_1000_0000n, 0x1000_0000_0000_0000n],
];
const numbersTried = [
  ...Array.from({ length: 600 }, (_, number) => number),
  ...[0x3fffffff, 0x40000000, 0x40000029, 0xfffffffe, 0xffffffff],
];

/** Decisions of a filter on all calls that it could tell apart. */
function decideAll(filter: Uint8Array): readonly number[] {
  return [...Object.values(architectures), i386].flatMap((architecture) =>
    numbersTried.flatMap((number) =>
      argumentsTried.map((argument) => decide(filter, { number, architecture, argument })),
    ),
  );
}

const stored = Object.entries(filters).map(([name, bytes]) => {
  const [architecture = '', nesting = ''] = name.split(' ');
  return { name, architecture, nestedNamespaces: nesting === 'nested', bytes };
});

describe('the filter of system calls', () => {
  it.each(stored)('decides every call as the filter of libseccomp does: $name', (one) => {
    const { architecture, nestedNamespaces, bytes } = one;
    const filter = assembleSystemCallFilter({
      nestedNamespaces,
      architecture: architecture as NodeJS.Architecture,
    });
    if (filter === null) throw new Error('no filter');
    expect(decideAll(filter)).toEqual(decideAll(Buffer.from(bytes, 'base64')));
  });

  it('refuses what leads around the sandbox and ends processes of another architecture', () => {
    const filter = assembleSystemCallFilter({ nestedNamespaces: false, architecture: 'x64' });
    if (filter === null) throw new Error('no filter');
    const x64 = (number: number, argument = 0n) =>
      decide(filter, { number, architecture: architectures.x64, argument });
    const [killed, allowed, refused, missing] = [0x80000000, 0x7fff0000, 0x00050001, 0x00050026];
    expect([250, 248, 249, 323, 298].map((number) => x64(number))).toEqual(Array(5).fill(refused));
    expect([425, 426, 427, 435].map((number) => x64(number))).toEqual(Array(4).fill(missing));
    expect([x64(41, 40n), x64(41, 0x1_0000_0028n), x64(41, 2n)]).toEqual([refused, refused, allowed]);
    expect([x64(272, 0x10000000n), x64(56, 0x10000011n), x64(56, 0x11n)]).toEqual([
      refused,
      refused,
      allowed,
    ]);
    expect([x64(0x40000000), x64(0xffffffff)]).toEqual([killed, allowed]);
    expect(decide(filter, { number: 1, architecture: i386, argument: 0n })).toBe(killed);
    const open = assembleSystemCallFilter({ nestedNamespaces: true, architecture: 'x64' });
    const clone3 = { number: 435, architecture: architectures.x64, argument: 0n };
    expect(open === null ? null : decide(open, clone3)).toBe(allowed);
  });

  it('is not there for a processor whose system calls are not known', () => {
    expect(assembleSystemCallFilter({ nestedNamespaces: false, architecture: 'riscv64' })).toBeNull();
  });

  const python = findPython();
  const reason = python === null ? 'NOT SHOWN HERE, the Python module seccomp is not installed: ' : '';
  it(`${reason}is compared with what the libseccomp of this machine generates`, () => {
    if (python === null) return expect(stored).toHaveLength(4);
    const generated = JSON.parse(execFileSync(python, ['-c', generate], { encoding: 'utf8' }));
    for (const { name, bytes } of stored)
      expect(decideAll(Buffer.from(generated[name], 'base64'))).toEqual(
        decideAll(Buffer.from(bytes, 'base64')),
      );
  });
});

/** The system's Python, if it has the module of libseccomp (Debian: python3-seccomp). */
function findPython(): string | null {
  try {
    execFileSync('/usr/bin/python3', ['-c', 'import seccomp'], { stdio: 'ignore' });
    return '/usr/bin/python3';
  } catch {
    return null;
  }
}

/** Generates the stored filters. */
const generate = `
import base64, errno, json, tempfile
from seccomp import *
def make(arch, nested):
    f = SyscallFilter(ALLOW)
    f.set_attr(Attr.ACT_BADARCH, KILL_PROCESS)
    f.remove_arch(Arch())
    f.add_arch(Arch(arch))
    for name in ['keyctl', 'add_key', 'request_key', 'userfaultfd', 'perf_event_open']:
        f.add_rule(ERRNO(errno.EPERM), name)
    for name in ['io_uring_setup', 'io_uring_enter', 'io_uring_register']:
        f.add_rule(ERRNO(errno.ENOSYS), name)
    f.add_rule(ERRNO(errno.EPERM), 'socket', Arg(0, MASKED_EQ, 0xffffffff, 40))
    if not nested:
        for name in ['clone', 'unshare']:
            f.add_rule(ERRNO(errno.EPERM), name, Arg(0, MASKED_EQ, 0x10000000, 0x10000000))
        f.add_rule(ERRNO(errno.ENOSYS), 'clone3')
    with tempfile.TemporaryFile() as file:
        f.export_bpf(file)
        file.seek(0)
        return base64.b64encode(file.read()).decode()
print(json.dumps({f'{name} {word}': make(arch, word == 'nested')
    for name, arch in [('x64', Arch.X86_64), ('arm64', Arch.AARCH64)] for word in ['flat', 'nested']}))`;
