import { processLocale } from '@agent/text/locale';
import { Command } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import type { CliCommand } from './command.ts';
import { loadTexts } from './command-io.ts';
import type { CliTexts } from './texts.en.ts';

/** Commands in the order of `--help`. */
const commands = [
  ['run', async () => (await import('./commands/run.ts')).run],
  ['pause', async () => (await import('./commands/control.ts')).pause],
  ['resume', async () => (await import('./commands/control.ts')).resume],
  ['stop', async () => (await import('./commands/control.ts')).stop],
  ['retry', async () => (await import('./commands/control.ts')).retry],
  ['status', async () => (await import('./commands/status.ts')).status],
  ['show', async () => (await import('./commands/show.ts')).show],
  ['history', async () => (await import('./commands/history.ts')).history],
  ['purge', async () => (await import('./commands/purge.ts')).purge],
  ['migrate', async () => (await import('./commands/migrate.ts')).migrate],
  ['doctor', async () => (await import('./commands/doctor.ts')).doctor],
  ['init', async () => (await import('./commands/init.ts')).init],
] as const satisfies readonly (readonly [name: string, load: () => Promise<CliCommand>])[];

/** Parses the command line and does what it says; sets the process's exit code. */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  const texts = await loadTexts(processLocale(process.env));
  const program = createProgram(texts.help, await loadCommands(argv[2]));
  await program.parseAsync([...argv]);
}

/** Loads the command of that name; all of them for any other word, because help and the hint for a slip list them. */
export async function loadCommands(name: string | undefined): Promise<ReadonlyMap<string, CliCommand>> {
  const wanted = commands.filter(([one]) => one === name);
  const listed = wanted.length === 0 ? commands : wanted;
  return new Map(await Promise.all(listed.map(async ([one, load]) => [one, await load()] as const)));
}

/** Makes the parser for these commands. */
export function createProgram(texts: CliTexts['help'], loaded: ReadonlyMap<string, CliCommand>): Command {
  const program = new Command('agent-daemon')
    .description(texts.program)
    .configureHelp({ styleTitle: (title) => texts.titles[title] ?? title })
    .version(manifest.version, '-V, --version', texts.version)
    .helpOption('-h, --help', texts.help)
    .helpCommand('help [command]', texts.helpCommand)
    .showHelpAfterError(texts.afterError('agent-daemon'))
    .addHelpText('after', texts.examples);
  for (const [name, command] of loaded) {
    fill(program.command(name), { command, texts }).showHelpAfterError(
      texts.afterError(`${program.name()} ${name}`),
    );
  }
  return program;
}

function fill(
  parser: Command,
  { command, texts }: { readonly command: CliCommand; readonly texts: CliTexts['help'] },
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
