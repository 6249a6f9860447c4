/** Processors for which a filter can be assembled. */
type Architecture = 'x64' | 'arm64';

/** Numbers of the system calls that a filter names. @see asm/unistd_64.h and asm-generic/unistd.h of Linux */
const numbers = {
  x64: {
    ...{ socket: 41, clone: 56, add_key: 248, request_key: 249, keyctl: 250, unshare: 272 },
    ...{ perf_event_open: 298, userfaultfd: 323 },
    ...{ io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427, clone3: 435 },
  },
  arm64: {
    ...{ unshare: 97, socket: 198, add_key: 217, request_key: 218, keyctl: 219, clone: 220 },
    ...{ perf_event_open: 241, userfaultfd: 282 },
    ...{ io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427, clone3: 435 },
  },
} as const;

/** `AUDIT_ARCH_X86_64` and `AUDIT_ARCH_AARCH64`. @see linux/audit.h */
const auditArchitectures: Readonly<Record<Architecture, number>> = { x64: 0xc000003e, arm64: 0xc00000b7 };

/** A system call that fails with an error. */
interface FilterRule {
  readonly call: keyof (typeof numbers)['x64'];
  readonly error: 'EPERM' | 'ENOSYS';
  /** Only if these bits of the low half of its first argument have this value. Default always. */
  readonly when?: { readonly mask: number; readonly value: number };
}

const AF_VSOCK = 40;
const CLONE_NEWUSER = 0x10000000;

/**
 * System calls that no command needs and that lead out of the sandbox: the kernel's keyrings are not divided by namespaces, and neither are sockets
 * to the host of a virtual machine. The others are known for attacks on the kernel. Programs fall back from a call that does not exist.
 */
const always: readonly FilterRule[] = [
  { call: 'add_key', error: 'EPERM' },
  { call: 'request_key', error: 'EPERM' },
  { call: 'keyctl', error: 'EPERM' },
  { call: 'perf_event_open', error: 'EPERM' },
  { call: 'userfaultfd', error: 'EPERM' },
  { call: 'io_uring_setup', error: 'ENOSYS' },
  { call: 'io_uring_enter', error: 'ENOSYS' },
  { call: 'io_uring_register', error: 'ENOSYS' },
  { call: 'socket', error: 'EPERM', when: { mask: 0xffffffff, value: AF_VSOCK } },
];

/** The flags of `clone3` are in memory, where no filter can read them: libraries fall back to `clone`. */
const againstUserNamespaces: readonly FilterRule[] = [
  { call: 'unshare', error: 'EPERM', when: { mask: CLONE_NEWUSER, value: CLONE_NEWUSER } },
  { call: 'clone', error: 'EPERM', when: { mask: CLONE_NEWUSER, value: CLONE_NEWUSER } },
  { call: 'clone3', error: 'ENOSYS' },
];

const errors: Readonly<Record<FilterRule['error'], number>> = { EPERM: 1, ENOSYS: 38 };

/** Actions of seccomp. @see linux/seccomp.h */
const kill = 0x80000000;
const allow = 0x7fff0000;
const fail = (error: number) => 0x00050000 | error;

/** Instructions of classic BPF. @see linux/bpf_common.h */
const load = 0x20;
const and = 0x54;
const jumpIfEqual = 0x15;
const jumpIfAtLeast = 0x35;
const answer = 0x06;

/** Places in `struct seccomp_data`, in bytes; both processors put the low half of an argument first. */
const place = { number: 0, architecture: 4, firstArgument: 16 } as const;

/** Numbers from here on belong to the x32 ABI of x64; -1 stands for a call that a tracer skips. */
const firstOfX32 = 0x40000000;
const skipped = 0xffffffff;

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, operand: number];

/** Options of `assembleSystemCallFilter`. */
export interface SystemCallFilterOptions {
  /** True to let commands create user namespaces, as the sandbox of Chromium does. */
  readonly nestedNamespaces: boolean;
  /** Default that of this process. */
  readonly architecture?: NodeJS.Architecture | undefined;
}

/**
 * Assembles the filter that bubblewrap loads (`--seccomp`): an array of `struct sock_filter`. It ends processes of another
 * architecture (32-bit programs, x32).
 *
 * @returns null for a processor whose system calls are not known here
 */
export function assembleSystemCallFilter({
  nestedNamespaces,
  architecture = process.arch,
}: SystemCallFilterOptions): Uint8Array | null {
  if (architecture !== 'x64' && architecture !== 'arm64') return null;
  const rules = nestedNamespaces ? always : [...always, ...againstUserNamespaces];
  const instructions: readonly Instruction[] = [
    [load, 0, 0, place.architecture],
    [jumpIfEqual, 1, 0, auditArchitectures[architecture]],
    [answer, 0, 0, kill],
    [load, 0, 0, place.number],
    ...(architecture === 'x64' ? refuseX32 : []),
    ...rules.flatMap((rule) => assembleRule(rule, numbers[architecture][rule.call])),
    [answer, 0, 0, allow],
  ];
  const bytes = new DataView(new ArrayBuffer(instructions.length * 8));
  for (const [at, [code, ifTrue, ifFalse, operand]] of instructions.entries()) {
    bytes.setUint16(at * 8, code, true);
    bytes.setUint8(at * 8 + 2, ifTrue);
    bytes.setUint8(at * 8 + 3, ifFalse);
    bytes.setUint32(at * 8 + 4, operand, true);
  }
  return new Uint8Array(bytes.buffer);
}

const refuseX32: readonly Instruction[] = [
  [jumpIfAtLeast, 0, 2, firstOfX32],
  [jumpIfEqual, 1, 0, skipped],
  [answer, 0, 0, kill],
];

/** Expects the number of the call to be loaded, and leaves it loaded for the next rule. */
function assembleRule({ error, when }: FilterRule, number: number): readonly Instruction[] {
  const failed: Instruction = [answer, 0, 0, fail(errors[error])];
  if (when === undefined) return [[jumpIfEqual, 0, 1, number], failed];
  return [
    [jumpIfEqual, 0, 5, number],
    [load, 0, 0, place.firstArgument],
    [and, 0, 0, when.mask],
    [jumpIfEqual, 0, 1, when.value],
    failed,
    [answer, 0, 0, allow],
  ];
}
