import { Command, Option } from 'commander';
import { processLocale } from '../text/process-locale.ts';
import { addControlCommands } from './add-control-commands.ts';
import { addPastCommands } from './add-past-commands.ts';
import { addSetupCommands } from './add-setup-commands.ts';
import { addViewCommands } from './add-view-commands.ts';
import type { HelpTexts } from './help-texts.ts';
import { loadHelpTexts } from './load-help-texts.ts';
import type { RunFlags } from './run.ts';

/** Parses the command line and does what it says; sets the process's exit code. Heavy modules load when a command needs them. */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  const texts = await loadHelpTexts(processLocale(process.env));
  const program = createProgram(texts);
  addRunCommand(program, texts);
  addControlCommands(program, texts);
  addViewCommands(program, texts);
  addPastCommands(program, texts);
  addSetupCommands(program, texts);
  await program.parseAsync([...argv]);
}

function createProgram(texts: HelpTexts): Command {
  return new Command('agent-daemon')
    .description(texts.program)
    .configureHelp({ styleTitle: (title) => texts.titles[title] ?? title })
    .helpOption('-h, --help', texts.help)
    .helpCommand('help [command]', texts.helpCommand)
    .showHelpAfterError(texts.afterError)
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
      const { runCommand } = await import('./run.ts');
      process.exitCode = await runCommand(options);
    });
}
