/** What a command and all that it starts may take. */
export interface CommandLimits {
  /** Processor time of each process, in seconds. */
  readonly cpuSeconds: number;
  /** Memory that is no file's, in MB: of all processes together, looked at each second. */
  readonly memoryMb: number;
  /** Processes and threads together. */
  readonly processes: number;
  /** Size of each file that is written, in MB. */
  readonly fileSizeMb: number;
}

export const defaultLimits: CommandLimits = {
  cpuSeconds: 1_800,
  memoryMb: 4_096,
  processes: 1_024,
  fileSizeMb: 1_024,
};

/** What a process may reserve beyond what it may use, in MB: engines such as V8 ask for much that they never touch. */
const reserveMb = 1_024;

/**
 * The command under limits that the kernel keeps, set by a fixed line of shell that becomes the program. A limit that is
 * lower already stays. The number of processes is counted by account: only in a user namespace of its own is that the command's.
 */
export function limitCommand(
  command: readonly string[],
  { limits, ownAccount }: { readonly limits: CommandLimits; readonly ownAccount: boolean },
): readonly string[] {
  const settings = [
    ...[
      ['-c 0'],
      [`-t ${limits.cpuSeconds}`],
      [`-d ${(limits.memoryMb + reserveMb) * 1024}`],
      [`-f ${limits.fileSizeMb * 2048}`],
    ],
    // dash and busybox call it -p, bash -u.
    ...(ownAccount ? [[`-u ${limits.processes}`, `-p ${limits.processes}`]] : []),
  ];
  const lines = settings.map((ways) => `${ways.map((way) => `ulimit ${way} 2>/dev/null`).join(' || ')} || :`);
  return ['/bin/sh', '-c', `${lines.join('; ')}; exec "$@"`, 'sh', ...command];
}
