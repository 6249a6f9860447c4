import type { CommandIo } from './command-io.ts';

/** Runs a command with this process's streams and sets its exit code; what it needs is loaded only now. */
export async function runWithIo(command: (io: CommandIo) => Promise<number>): Promise<void> {
  const [{ processIo }, { explainErrors }] = await Promise.all([
    import('./command-io.ts'),
    import('./command-io.ts'),
  ]);
  const io = processIo();
  process.exitCode = await explainErrors(() => command(io), io);
}
