import { AsyncLocalStorage } from 'node:async_hooks';
import { flushCompileCache } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { runCommandLine } from '../../src/cli/program.ts';
import { endOfOutput, type HostedCommand } from './hosted-command.ts';

/**
 * A process that carries out one command of the daemon after the other, each as a process of its own would, and tells
 * the exit codes. What a command has loaded and compiled serves the next; nothing else of it is left, and what it would print
 * after its end is not printed.
 */
const tell = process.send?.bind(process);
const commands = new AsyncLocalStorage<HostedCommand>();
let current: HostedCommand | null = null;
for (const stream of [process.stdout, process.stderr]) silenceEnded(stream);
keepFromEnded();
const idle = listResources();
process.once('disconnect', () => process.exit());
process.on('message', carryOut);

async function carryOut(command: HostedCommand): Promise<void> {
  const { commandLine, environment } = command;
  const before = await idle;
  current = command;
  replaceEnvironment(environment);
  process.exitCode = undefined;
  await commands.run(command, () => runCommandLine([process.execPath, 'agent-daemon', ...commandLine]));
  // A process ends when nothing keeps it; a command that leaves something open never ends here either.
  while ((await listResources()) !== before);
  current = null;
  tell?.(Number(process.exitCode ?? 0));
  for (const stream of [process.stdout, process.stderr]) stream.write(endOfOutput);
  flushCompileCache();
}

function silenceEnded(stream: NodeJS.WriteStream): void {
  const write = stream.write.bind(stream) as (...given: unknown[]) => boolean;
  stream.write = (...given: unknown[]) => {
    const command = commands.getStore();
    return command !== undefined && command !== current ? true : write(...given);
  };
}

/** A command that has ended ends no process. */
function keepFromEnded(): void {
  const exit = process.exit.bind(process);
  process.exit = ((...given: Parameters<typeof exit>) => {
    const command = commands.getStore();
    return command !== undefined && command !== current ? undefined : exit(...given);
  }) as typeof exit;
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
