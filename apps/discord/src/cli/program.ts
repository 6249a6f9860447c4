import { Command } from 'commander';
import { BotError } from '../bot-error.ts';
import { type CommandFlags, type CommandIo, loadTerminalTexts, processIo } from './command-io.ts';

type Run = (flags: CommandFlags, io: CommandIo) => Promise<number>;

/** Parses the command line and does what it says; sets the process's exit code. Heavy modules load when they are needed. */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  const io = processIo();
  const texts = await loadTerminalTexts(io.environment);
  const act = (load: () => Promise<Run>) => async (_: object, command: Command) => {
    try {
      const run = await load();
      process.exitCode = await run(command.optsWithGlobals(), io);
    } catch (error) {
      // The message of any other error is not made for people.
      if (!BotError.isInstance(error)) throw error;
      io.warn(`agent-discord: ${error.message}`);
      process.exitCode = 1;
    }
  };
  const program = new Command('agent-discord')
    .description(texts.program)
    // Node takes `--env-file` for itself, wherever it stands.
    .option('-e, --env <path>', `${texts.envFile} (.env)`)
    .showHelpAfterError();
  program
    .command('run', { isDefault: true })
    .description(texts.run)
    .action(act(async () => (await import('./run-command.ts')).runCommand));
  program
    .command('doctor')
    .description(texts.doctor)
    .action(act(async () => (await import('./doctor-command.ts')).doctorCommand));
  program
    .command('rehearse')
    .description(texts.rehearse)
    .option('--channel <id>', texts.rehearseOptions.channel)
    .option('--compare <file>', texts.rehearseOptions.compare)
    .option('--keep', texts.rehearseOptions.keep)
    .option('--yes <server>', texts.rehearseOptions.yes)
    .option('--output <directory>', texts.rehearseOptions.output)
    .action(act(async () => (await import('./rehearse-command.ts')).runRehearse));
  await program.parseAsync([...argv]);
}
