import { Command, Option } from 'commander';
import type { RunFlags } from './run.ts';

const examples = `
Examples:
  agent-daemon run                          look for tasks every poll_interval_seconds and run them
  agent-daemon run --once                   run what is waiting, then end
  agent-daemon run --config ci/agent.yaml   with another configuration
  LLM_MODEL=qwen3 agent-daemon run          with another model than the configuration names

Secrets come from the environment only (GITHUB_TOKEN, OPENAI_API_KEY, …), or from a file .env beside the configuration.
Ctrl-C once: the steps that are running are finished and saved. Twice: ends at once; the next start goes on from the journal.`;

/** Parses the command line and does what it says; sets the process's exit code. Heavy modules load when a command needs them. */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  const program = new Command('agent-daemon')
    .description(
      'Finds labelled issues and pull requests, works on them with a model and tools, and reports back.',
    )
    .showHelpAfterError('(agent-daemon --help shows what there is)')
    .addHelpText('after', examples);
  program
    .command('run')
    .description('find tasks, queue them, run them')
    .option('-c, --config <file>', 'the configuration', 'agent.config.yaml')
    .option('--once', 'end when nothing is left to do', false)
    .option('--no-live', 'plain lines, without the view of the tasks below them')
    .addOption(
      new Option('--log-format <format>', 'how log lines look')
        .choices(['auto', 'pretty', 'json'])
        .default('auto'),
    )
    .action(async (options: RunFlags) => {
      const { runCommand } = await import('./run.ts');
      process.exitCode = await runCommand(options);
    });
  await program.parseAsync([...argv]);
}
