import { readdir, readFile } from 'node:fs/promises';
import { type CommandSandbox, chooseSandbox } from '../sandbox/sandbox.ts';

type Bubblewrap = CommandSandbox & { readonly kind: 'bubblewrap' };

let found: Promise<Bubblewrap | null> | undefined;

/** The sandbox of this machine; null, and a line on standard error, where there is none to test. */
export function findSandbox(): Promise<Bubblewrap | null> {
  found ??= chooseSandbox({ mode: 'required', allowRoot: true }).then(
    (sandbox) => sandbox as Bubblewrap,
    (error: Error) => {
      process.stderr.write(`NOT SHOWN HERE, for want of a sandbox: ${error.message}\n`);
      return null;
    },
  );
  return found;
}

/** A test's name, which says where there is nothing to show. */
export function sandboxed(name: string, sandbox: Bubblewrap | null): string {
  return sandbox === null ? `NOT SHOWN HERE, bubblewrap does not work: ${name}` : name;
}

/** Reads what any user of the machine can read of running processes: their command lines. */
export async function listCommandLines(): Promise<readonly string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const read = ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => ''));
  return (await Promise.all(read)).map((line) => line.replaceAll('\0', ' '));
}
