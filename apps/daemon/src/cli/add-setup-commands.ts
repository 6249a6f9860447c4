import { type Command, Option } from 'commander';
import type { DoctorFlags } from './commands/doctor.ts';
import type { InitFlags } from './commands/init.ts';
import type { HelpTexts } from './help-texts.ts';
import { runWithIo } from './run-with-io.ts';

/** `doctor` and `init`. */
export function addSetupCommands(program: Command, texts: HelpTexts): void {
  program
    .command('doctor')
    .description(texts.doctor)
    .option('-c, --config <file>', texts.config, 'agent.config.yaml')
    .option('--no-model', texts.noModel)
    .option('--json', texts.json)
    .addHelpText('after', texts.doctorExamples)
    .action((flags: DoctorFlags) =>
      runWithIo(async (io) => (await import('./commands/doctor.ts')).doctorCommand(flags, io)),
    );
  program
    .command('init')
    .description(texts.init)
    .option('-c, --config <file>', texts.config, 'agent.config.yaml')
    .addOption(new Option('--platform <name>', texts.initPlatform).choices(['github', 'gitlab']))
    .option('--repository <paths>', texts.initRepository)
    .option('--base-url <url>', texts.initBaseUrl)
    .addOption(new Option('--llm-preset <name>', texts.initPreset).choices(['openai', 'lmstudio', 'ollama']))
    .option('--llm-base-url <url>', texts.initLlmUrl)
    .option('--model <name>', texts.initModel)
    .addOption(new Option('--api <name>', texts.initApi).choices(['responses', 'chat']))
    .option('--force', texts.initForce)
    .option('--yes', texts.initYes)
    .addHelpText('after', texts.initExamples)
    .action((flags: InitFlags) =>
      runWithIo(async (io) => {
        const [{ initCommand }, { openTerminalPrompt }] = await Promise.all([
          import('./commands/init.ts'),
          import('../init/ask-answers.ts'),
        ]);
        const { stdin: input, stdout: output } = process;
        const { prompt, close } = openTerminalPrompt({ input, output });
        return initCommand(flags, { io, prompt }).finally(close);
      }),
    );
}
