import { readFile } from 'node:fs/promises';
import { parseWorld } from '../world/parse-world.ts';
import { startWorld, type World } from '../world/start-world.ts';
import { WorldError } from '../world/world-error.ts';
import type { WorldSeed } from '../world/world-seed.ts';
import { exampleWorld } from './example-world.ts';
import { type Command, CommandError, readCommand, usage } from './read-command.ts';
import { type Admin, startAdmin } from './start-admin.ts';

/** The process that it runs in. */
export interface CliProcess {
  readonly args: readonly string[];
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
  /** Resolves when the program is to exit. */
  readonly ended: Promise<unknown>;
}

/** Runs the simulators that the command line names until `ended` resolves. @returns the exit code: 0, or 2 for an invalid command line or seed */
export async function runCli({ args, print, complain, ended }: CliProcess): Promise<number> {
  try {
    const command = readCommand(args);
    if (command === null) {
      print(usage);
      return 0;
    }
    const { world, admin } = await open(command);
    print(`${JSON.stringify({ ...world.urls(), admin: admin.url })}\n`);
    await ended;
    await Promise.all([admin.close(), world.close()]);
    return 0;
  } catch (error) {
    const reason = toReason(error);
    if (reason === null) throw error;
    complain(`${reason}\n${error instanceof CommandError ? `\n${usage}` : ''}`);
    return 2;
  }
}

async function open(command: Command): Promise<{ readonly world: World; readonly admin: Admin }> {
  const { services, host, port, adminPort, faults } = command;
  const only = services === 'all' ? {} : { services: [services], ports: { [services]: port } };
  const world = await startWorld(await readSeed(command), { host, ...only });
  try {
    for (const { service, fault } of faults) world.fail(service, fault);
    return { world, admin: await startAdmin(world, { port: adminPort }) };
  } catch (error) {
    await world.close();
    throw error;
  }
}

async function readSeed({ seed }: Command): Promise<WorldSeed> {
  return seed === null ? exampleWorld : parseWorld(await readFile(seed, 'utf8'));
}

/** Error message for the user; null for an unexpected error of the program. */
function toReason(error: unknown): string | null {
  if (error instanceof CommandError || error instanceof WorldError) return error.message;
  const { syscall, message } = error as NodeJS.ErrnoException;
  return syscall === undefined ? null : message;
}
