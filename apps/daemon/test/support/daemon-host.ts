import { flushCompileCache } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { runCommandLine } from '../../src/cli/program.ts';
import { endOfOutput, type HostedCommand } from './hosted-command.ts';

/**
 * A process that carries out one command of the daemon after the other, each as a process of its own would, and tells
 * the exit codes. What a command has loaded and compiled serves the next; nothing else of it is left.
 */
const tell = process.send?.bind(process);
const idle = listResources();
process.once('disconnect', () => process.exit());
process.on('message', carryOut);

async function carryOut({ commandLine, environment }: HostedCommand): Promise<void> {
  const before = await idle;
  replaceEnvironment(environment);
  process.exitCode = undefined;
  await runCommandLine([process.execPath, 'agent-daemon', ...commandLine]);
  // A process ends when nothing keeps it; a command that leaves something open never ends here either.
  while ((await listResources()) !== before);
  tell?.(Number(process.exitCode ?? 0));
  for (const stream of [process.stdout, process.stderr]) stream.write(endOfOutput);
  flushCompileCache();
}

function replaceEnvironment(environment: HostedCommand['environment']): void {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  for (const [name, value] of Object.entries(environment)) if (value !== undefined) process.env[name] = value;
}

/** What keeps this process, looked at from a timer. */
async function listResources(): Promise<string> {
  await delay(2);
  return process.getActiveResourcesInfo().sort().join(' ');
}
