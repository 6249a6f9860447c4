import type { Option } from 'commander';
import type { HelpTexts } from './help.en.ts';

/** Texts of `--help` for a command, and its parameters besides `--config`. */
export interface CommandHelp {
  readonly description: string;
  /** Form in commander's syntax, `<task>` or `[task]`, and description. Default none. */
  readonly argument?: readonly [form: string, description: string] | undefined;
  readonly options?: readonly Option[] | undefined;
  /** Text below the options. Default none. */
  readonly examples?: string | undefined;
}

/** Command of the command line. */
export interface CliCommand<Given = never> {
  readonly describe: (texts: HelpTexts) => CommandHelp;
  /**
   * Runs the command with the given options, and the argument under its name.
   *
   * @returns the exit code
   */
  readonly run: (given: Given) => Promise<number>;
}
