import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Begins a program in process ids, network and host name of its own, as a container does; it dies with its launcher. */
export const apart: readonly string[] = [
  'unshare',
  '--pid',
  '--net',
  '--uts',
  '--fork',
  '--mount-proc',
  '--kill-child',
  'sh',
  '-c',
  'ip link set lo up && exec "$0" "$@"',
];

/** Why this machine cannot do that; null where it can. */
export async function whyNotApart(): Promise<string | null> {
  const [program = '', ...rest] = apart;
  return run(program, [...rest, 'true']).then(
    () => null,
    (error: unknown) => `NOT SHOWN HERE: ${String(error).split('\n')[0]}`,
  );
}
