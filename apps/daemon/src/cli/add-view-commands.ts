import type { Command } from 'commander';
import type { HelpTexts } from './help-texts.ts';
import { runWithIo } from './run-with-io.ts';
import type { ShowFlags } from './show-command.ts';
import type { StatusFlags } from './status-command.ts';

/** `status` and `show`. */
export function addViewCommands(program: Command, texts: HelpTexts): void {
  program
    .command('status')
    .description(texts.status)
    .option('-c, --config <file>', texts.config, 'agent.config.yaml')
    .option('--json', texts.json)
    .action((flags: StatusFlags) =>
      runWithIo(async (io) => (await import('./status-command.ts')).statusCommand(flags, io)),
    );
  program
    .command('show')
    .description(texts.show)
    .argument('<run>', texts.showRun)
    .option('-c, --config <file>', texts.config, 'agent.config.yaml')
    .option('--json', texts.json)
    .action((run: string, flags: Omit<ShowFlags, 'run'>) =>
      runWithIo(async (io) => (await import('./show-command.ts')).showCommand({ ...flags, run }, io)),
    );
}
