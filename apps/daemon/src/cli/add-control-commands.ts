import type { Command } from 'commander';
import type { ControlFlags, ControlRequest } from './commands/control.ts';
import type { HelpTexts } from './help-texts.ts';
import { runWithIo } from './run-with-io.ts';

/** `pause`, `resume`, `stop` and `retry`. */
export function addControlCommands(program: Command, texts: HelpTexts): void {
  const add = (verb: ControlRequest['verb'], words: { all: string; examples: string }) =>
    program
      .command(verb)
      .description(texts[verb])
      .argument('[task]', texts.task)
      .option('-c, --config <file>', texts.config, 'agent.config.yaml')
      .option('--all', words.all)
      .addHelpText('after', words.examples)
      .action((task: string | undefined, flags: Partial<ControlFlags> & Pick<ControlFlags, 'config'>) =>
        runWithIo(async (io) => {
          const { controlCommand } = await import('./commands/control.ts');
          return controlCommand({ ...flags, all: flags.all === true, verb, task: task ?? null }, io);
        }),
      );
  add('pause', { all: texts.all, examples: texts.pauseExamples });
  add('resume', { all: texts.all, examples: texts.resumeExamples });
  add('stop', { all: texts.stopAll, examples: texts.stopExamples });
  program
    .command('retry')
    .description(texts.retry)
    .argument('<task>', texts.task)
    .option('-c, --config <file>', texts.config, 'agent.config.yaml')
    .addHelpText('after', texts.retryExamples)
    .action((task: string, { config }: Pick<ControlFlags, 'config'>) =>
      runWithIo(async (io) => {
        const { controlCommand } = await import('./commands/control.ts');
        return controlCommand({ config, all: false, verb: 'retry', task }, io);
      }),
    );
}
