import { type Command, Option } from 'commander';
import { runStates } from '../text/run-summary.ts';
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
    .addOption(new Option('--state <name>', texts.onlyState).choices(runStates))
    .option('--platform <name>', texts.onlyPlatform)
    .option('--repository <name>', texts.onlyRepository)
    .option('--task <task>', texts.onlyTask)
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
