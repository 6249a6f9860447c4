import { processLocale } from '@agent/text/locale';
import { Command } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { commandName } from '../command-name.ts';
import type { CliCommand } from './cli-command.ts';
import { loadTexts } from './command-io.ts';
import { commands } from './commands.ts';
import type { HelpTexts } from './help.en.ts';

/** Parses the command line and runs the command; sets the exit code of the process. */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  const texts = await loadTexts(processLocale(process.env));
  await createProgram(texts.help).parseAsync([...argv]);
}

/** Creates the parser of the command line. */
export function createProgram(texts: HelpTexts): Command {
  const program = new Command(commandName())
    .description(texts.program)
    .configureHelp({ styleTitle: (title) => texts.titles[title] ?? title })
    .version(manifest.version, '-V, --version', texts.version)
    .helpOption('-h, --help', texts.help)
    .helpCommand('help [command]', texts.helpCommand)
    .showHelpAfterError(texts.afterError(commandName()))
    .addHelpText('after', texts.examples);
  for (const [name, command] of Object.entries(commands)) {
    fill(program.command(name), { command, texts }).showHelpAfterError(
      texts.afterError(`${program.name()} ${name}`),
    );
  }
  return program;
}

function fill(
  parser: Command,
  { command, texts }: { readonly command: CliCommand; readonly texts: HelpTexts },
): Command {
  const { description, argument, options = [], examples } = command.describe(texts);
  parser.description(description).option('-c, --config <file>', texts.config, 'agent.config.yaml');
  if (argument !== undefined) parser.argument(...argument);
  for (const option of options) parser.addOption(option);
  if (examples !== undefined) parser.addHelpText('after', examples);
  return parser.action(async () => {
    const named = parser.registeredArguments.map((one, index) => [one.name(), parser.args[index]]);
    const given = { ...parser.opts(), ...Object.fromEntries(named) };
    process.exitCode = await command.run(given as never);
  });
}
