import { Option } from 'commander';
import type { CliCommand, CommandHelp } from './cli-command.ts';
import { runWithIo } from './command-io.ts';
import type { ControlRequest } from './commands/control.ts';
import type { HelpTexts } from './help.en.ts';

function control(
  verb: ControlRequest['verb'],
  describe: (texts: HelpTexts) => CommandHelp,
): CliCommand<Partial<ControlRequest> & Pick<ControlRequest, 'config'>> {
  return {
    describe,
    run: ({ config, all = false, task = null }) =>
      runWithIo(async (io) => {
        const { controlCommand } = await import('./commands/control.ts');
        return controlCommand({ config, all, verb, task }, io);
      }),
  };
}

export const pause = control('pause', (texts) => ({
  description: texts.pause,
  argument: ['[task]', texts.task],
  options: [new Option('--all', texts.all)],
  examples: texts.pauseExamples,
}));

export const resume = control('resume', (texts) => ({
  description: texts.resume,
  argument: ['[task]', texts.task],
  options: [new Option('--all', texts.all)],
  examples: texts.resumeExamples,
}));

export const stop = control('stop', (texts) => ({
  description: texts.stop,
  argument: ['[task]', texts.task],
  options: [new Option('--all', texts.stopAll)],
  examples: texts.stopExamples,
}));

export const retry = control('retry', (texts) => ({
  description: texts.retry,
  argument: ['<task>', texts.task],
  examples: texts.retryExamples,
}));

export const settle = control('settle', (texts) => ({
  description: texts.settle,
  argument: ['<task>', texts.task],
  examples: texts.settleExamples,
}));
