import { processLocale } from '@agent/text/locale';
import { Command, Option } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { addControlCommands } from './add-control-commands.ts';
import { addPastCommands } from './add-past-commands.ts';
import { addSetupCommands } from './add-setup-commands.ts';
import { addViewCommands } from './add-view-commands.ts';
import type { RunFlags } from './commands/run.ts';
import type { HelpTexts } from './help-texts.ts';
import { loadHelpTexts } from './load-help-texts.ts';

/** Parses the command line and does what it says; sets the process's exit code. Heavy modules load when a command needs them. */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  const texts = await loadHelpTexts(processLocale(process.env));
  await createProgram(texts).parseAsync([...argv]);
}

/** Everything that the command line takes. */
export function createProgram(texts: HelpTexts): Command {
  const program = createRoot(texts);
  addRunCommand(program, texts);
  addControlCommands(program, texts);
  addViewCommands(program, texts);
  addPastCommands(program, texts);
  addSetupCommands(program, texts);
  for (const command of program.commands) {
    command.showHelpAfterError(texts.afterError(`${program.name()} ${command.name()}`));
  }
  return program;
}

function createRoot(texts: HelpTexts): Command {
  return new Command('agent-daemon')
    .description(texts.program)
    .configureHelp({ styleTitle: (title) => texts.titles[title] ?? title })
    .version(manifest.version, '-V, --version', texts.version)
    .helpOption('-h, --help', texts.help)
    .helpCommand('help [command]', texts.helpCommand)
    .showHelpAfterError(texts.afterError('agent-daemon'))
    .addHelpText('after', texts.examples);
}

function addRunCommand(program: Command, texts: HelpTexts): void {
  program
    .command('run')
    .description(texts.run)
    .option('-c, --config <file>', texts.config, 'agent.config.yaml')
    .option('--once', texts.once, false)
    .option('--no-live', texts.noLive)
    .addOption(
      new Option('--log-format <format>', texts.logFormat)
        .choices(['auto', 'pretty', 'json'])
        .default('auto'),
    )
    .action(async (options: RunFlags) => {
      const { runCommand } = await import('./commands/run.ts');
      process.exitCode = await runCommand(options);
    });
}
