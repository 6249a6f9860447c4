import type { Command } from 'commander';
import type { HistoryFlags } from './commands/history.ts';
import type { MigrateFlags } from './commands/migrate.ts';
import type { PurgeFlags } from './commands/purge.ts';
import type { HelpTexts } from './help-texts.ts';
import { runWithIo } from './run-with-io.ts';

/** `history`, `purge` and `migrate`. */
export function addPastCommands(program: Command, texts: HelpTexts): void {
  const add = (name: string, description: string) =>
    program
      .command(name)
      .description(description)
      .option('-c, --config <file>', texts.config, 'agent.config.yaml');
  add('history', texts.history)
    .argument('<task>', texts.task)
    .option('--json', texts.json)
    .action((task: string, flags: Omit<HistoryFlags, 'task'>) =>
      runWithIo(async (io) => (await import('./commands/history.ts')).historyCommand({ ...flags, task }, io)),
    );
  add('purge', texts.purge)
    .argument('<task>', texts.task)
    .option('--yes', texts.purgeYes)
    .addHelpText('after', texts.purgeExamples)
    .action((task: string, flags: Omit<PurgeFlags, 'task'>) =>
      runWithIo(async (io) => {
        const [{ purgeCommand }, { openTerminalPrompt }] = await Promise.all([
          import('./commands/purge.ts'),
          import('../init/ask-answers.ts'),
        ]);
        const { stdin: input, stdout: output } = process;
        const { prompt, close } = openTerminalPrompt({ input, output });
        return purgeCommand({ ...flags, task }, { io, prompt }).finally(close);
      }),
    );
  add('migrate', texts.migrate)
    .argument('[directory]', texts.migrateDirectory)
    .option('--apply', texts.migrateApply)
    .addHelpText('after', texts.migrateExamples)
    .action((directory: string | undefined, flags: Omit<MigrateFlags, 'directory'>) =>
      runWithIo(async (io) => {
        const { migrateCommand } = await import('./commands/migrate.ts');
        return migrateCommand({ ...flags, directory: directory ?? null }, io);
      }),
    );
}
