import { type Command, Option } from 'commander';
import { runStates } from '../text/run-summary.ts';
import type { ShowFlags } from './commands/show.ts';
import type { StatusFlags } from './commands/status.ts';
import type { HelpTexts } from './help-texts.ts';
import { runWithIo } from './run-with-io.ts';

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
      runWithIo(async (io) => (await import('./commands/status.ts')).statusCommand(flags, io)),
    );
  program
    .command('show')
    .description(texts.show)
    .argument('<run>', texts.showRun)
    .option('-c, --config <file>', texts.config, 'agent.config.yaml')
    .option('--json', texts.json)
    .action((run: string, flags: Omit<ShowFlags, 'run'>) =>
      runWithIo(async (io) => (await import('./commands/show.ts')).showCommand({ ...flags, run }, io)),
    );
}
